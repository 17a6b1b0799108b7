import { spawnSync } from "node:child_process";
import { readdirSync, readFileSync, lstatSync } from "node:fs";
import { join, resolve } from "node:path";
import { expect, test } from "vitest";
import { bead, preview, step, told, write, writeBead, writeSteps } from "../support/grimoires.ts";
import { node, readOnlyFlags } from "../support/node.ts";
import { Repo } from "../support/repo.ts";

const program = resolve(import.meta.dirname, "../../dist/clew.cjs");

test("G18 shows grimoire and source, bead, every step with its type, rendered inputs, prompts and commands", async () => {
  using repo = new Repo();
  writeBead(repo, bead);
  write(repo, ".clew/spells/look.md", "Look at {{.bead.title}}: {{.hint}}\n");
  writeSteps(
    repo,
    `- {name: look, type: agent, spell: look, input: {hint: "{{.bead.description}}", n: "{{.bead.priority}}"}, output: findings}
- {name: note, type: script, command: 'echo {{.findings.summary}} for {{.bead.id}}'}
- {name: land, type: merge}`,
  );
  repo.env["CLEW_SCRIPT"] = "script.json";
  const shown = await preview(repo, "--engine", "scripted");
  expect(told(shown.problems)).toEqual([]);
  expect(shown).toMatchObject({
    code: 0,
    valid: true,
    grimoire: { name: "flow", origin: "repository", file: ".clew/grimoires/flow.yaml" },
    bead: { id: "proj-1", title: "Fix the login" },
  });
  expect(step(shown, "look")).toMatchObject({
    type: "agent",
    prompt: "Look at Fix the login: It fails after an hour.\n",
    spell: { name: "look", origin: "repository", file: ".clew/spells/look.md", partials: [] },
    input: [
      { name: "hint", source: "{{.bead.description}}", value: "It fails after an hour." },
      { name: "n", source: "{{.bead.priority}}", value: 1 },
    ],
    sets: ["look", "findings"],
  });
  expect(step(shown, "note")).toMatchObject({
    type: "script",
    command: "echo '⟨findings.summary: text⟩' for 'proj-1'",
  });
  repo.env["CLEW_SCRIPT"] = "script.json";
  const text = await repo.clew("grimoire", "preview", "flow", "--bead", "proj-1", "--engine", "scripted");
  for (const part of ["flow", "proj-1  Fix the login", "1 look  agent", "│ Look at Fix the login", "3 land  merge"]) {
    expect(text).toContain(part);
  }
  expect(text).toContain("Nothing was run.");
});

test("G18 typed placeholders stand for what only exists later", async () => {
  using repo = new Repo();
  writeBead(repo, bead);
  writeSteps(
    repo,
    `- {name: run-tests, type: script, command: npm test, on_fail: continue, output: test_output}
- {name: say, type: script, when: "{{.previous.failed}}", command: 'echo {{.test_output}} {{.previous.exit_code}} "{{.run_tests.success}}"'}`,
  );
  const shown = await preview(repo);
  expect(told(shown.problems)).toEqual([]);
  expect(step(shown, "say")).toMatchObject({
    when: { source: "{{.previous.failed}}", value: null },
    command: `echo '⟨test_output: text⟩' '⟨run-tests.exit_code: int⟩' "⟨run-tests.success: boolean⟩"`,
  });
});

test("G18 a condition that only the run can decide shows both ways", async () => {
  using repo = new Repo();
  writeBead(repo, bead);
  writeSteps(
    repo,
    `- {name: a, type: script, command: "true", on_fail: continue}
- name: b
  type: agent
  spell: |
    {{if .previous.failed}}Mend it.{{else}}Go on.{{end}} {{if eq .bead.priority 1}}Now!{{end}}
- {name: c, type: script, command: "make{{if .a.failed}} clean{{end}} all"}`,
  );
  const shown = await preview(repo);
  expect(told(shown.problems)).toEqual([]);
  expect(step(shown, "b").prompt).toBe("⟨if a.failed⟩Mend it.⟨else⟩Go on.⟨end⟩ Now!\n");
  expect(step(shown, "c").command).toBe("make⟨if a.failed⟩ clean⟨end⟩ all");
});

/** Every file and folder with its content and times. */
function everything(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .map((entry) => join(entry.parentPath, entry.name))
    .sort()
    .map((path) => {
      const stats = lstatSync(path, { bigint: true });
      return `${path} ${stats.mtimeNs} ${stats.ctimeNs} ${stats.isFile() ? readFileSync(path, "latin1") : ""}`;
    });
}

test("G18 runs nothing: no process and no file written, in the main checkout and in a worktree", async () => {
  using repo = new Repo();
  writeBead(repo, { ...bead, title: "$(touch canary) `touch canary`" });
  writeSteps(repo, "- {name: a, type: script, command: 'touch canary; echo {{.bead.title}}'}");
  repo.git("worktree", "add", "-q", ".worktrees/w");
  const before = everything(repo.root);
  for (const cwd of [repo.root, join(repo.root, ".worktrees/w")]) {
    for (const more of [[], ["--json"]]) {
      // Node itself refuses to start a process or to write a file under this flag.
      const outcome = spawnSync(
        node,
        [...readOnlyFlags(), program, "grimoire", "preview", "flow", "-b", "proj-1", ...more],
        { cwd, encoding: "utf8", env: { HOME: "/nonexistent", PATH: "/nonexistent" } },
      );
      if (outcome.status !== 0) throw new Error(outcome.stderr);
      expect(outcome.stdout).toContain("touch canary");
    }
  }
  expect(everything(repo.root)).toEqual(before);
});

test("G18 what is wrong is told with file and line, and the exit code is not zero", async () => {
  using repo = new Repo();
  writeBead(repo, bead);
  write(repo, ".clew/spells/bad.md", "First line.\nSecond {{.bead.title line.\n");
  writeSteps(
    repo,
    `- {name: a, type: agent, spell: bad}
- {name: b, type: agent, spell: missing-one}
- name: c
  type: script
  command: |
    echo one
    echo {{.bead.titel}}
- {name: d, type: script, command: "echo {{.nothing}}"}`,
  );
  const shown = await preview(repo);
  expect([shown.code, shown.valid]).toEqual([2, false]);
  const problems = told(shown.problems);
  expect(problems).toHaveLength(4);
  expect(problems[0]).toMatch(/^\.clew\/spells\/bad\.md:2:\d+ error: /);
  expect(problems[1]).toMatch(/^\.clew\/grimoires\/flow\.yaml:5:\d+ error: there is no spell missing-one$/);
  expect(problems[2]).toBe(".clew/grimoires/flow.yaml:10:14 error: .bead has no field titel");
  expect(problems[3]).toMatch(/^\.clew\/grimoires\/flow\.yaml:11:\d+ error: nothing sets \.nothing$/);
  const text = await repo.run(["grimoire", "preview", "flow", "--bead", "proj-1"]);
  expect([text.code, text.stdout]).toEqual([2, expect.stringContaining("did you mean .bead.title?")]);
});

test("G3 without a name, the bead decides: label, then type, then the default", async () => {
  using repo = new Repo();
  writeSteps(repo, "- {name: m, type: merge}");
  repo.configure("engine: scripted\ngrimoire_types: {bug: prepare-pr}\nengines: {scripted: {script: play.yaml}}\n");
  writeBead(
    repo,
    { ...bead, id: "p-1", labels: ["ui", "grimoire:flow"] },
    { ...bead, id: "p-2" },
    { ...bead, id: "p-3", issue_type: "task" },
  );
  const chosen = async (id: string) => {
    const { grimoire, because } = await repo.json<{ grimoire: { name: string }; because: string }>(
      "grimoire",
      "preview",
      "--bead",
      id,
    );
    return [grimoire.name, because];
  };
  expect(await chosen("p-1")).toEqual(["flow", "label grimoire:flow"]);
  expect(await chosen("p-2")).toEqual(["prepare-pr", "type bug"]);
  expect(await chosen("p-3")).toEqual(["implement-bead", "default"]);
  repo.configure("default_grimoire: flow\n");
  expect(await chosen("p-3")).toEqual(["flow", "default"]);
});

test("G18 an unknown bead, a damaged line and a missing --bead are refused with what to do", async () => {
  using repo = new Repo();
  writeSteps(repo, "- {name: m, type: merge}");
  expect((await repo.refused(["grimoire", "preview", "flow", "--bead", "proj-9"])).code).toBe("unknown_bead");
  writeBead(repo, bead, { ...bead, id: "proj-2", status: "tombstone" }, { _type: "memory", id: "proj-3" });
  expect((await repo.refused(["grimoire", "preview", "flow", "--bead", "proj-11"])).hint).toBe("did you mean proj-1?");
  expect((await repo.refused(["grimoire", "preview", "flow", "--bead", "proj-2"])).code).toBe("unknown_bead");
  expect((await repo.refused(["grimoire", "preview", "flow", "--bead", "proj-3"])).code).toBe("unknown_bead");
  write(repo, ".beads/issues.jsonl", `${JSON.stringify(bead)}\n{"id":"proj-4", "title":\n`);
  const damaged = await repo.refused(["grimoire", "preview", "flow", "--bead", "proj-4"]);
  expect(damaged.message).toBe(".beads/issues.jsonl:2: not a JSON object");
  expect((await repo.json("grimoire", "preview", "flow", "--bead", "proj-1"))["valid"]).toBe(true);
  expect((await repo.refused(["grimoire", "preview", "flow"])).code).toBe("usage");
});

test("G6 --var gives variables, JSON if it parses", async () => {
  using repo = new Repo();
  writeBead(repo, bead);
  writeSteps(repo, `- {name: a, type: script, command: "echo {{.n}} {{.text}} {{.list}}", when: "{{.on}}"}`);
  const shown = await preview(
    repo,
    "--var",
    "n=3",
    "--var",
    "text=it's",
    "--var",
    'list=["a",{"b":1}]',
    "--var",
    "on=true",
  );
  expect(told(shown.problems)).toEqual([]);
  expect(step(shown, "a").command).toBe(`echo '3' 'it'\\''s' '["a",{"b":1}]'`);
  expect(step(shown, "a").when?.value).toBe(true);
});
