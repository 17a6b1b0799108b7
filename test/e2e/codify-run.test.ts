import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { describe, expect, test } from "vitest";
import type { CodifiedText } from "../../src/contract/api/codify.ts";
import { readGrimoire } from "../../src/grimoire/definition/read-grimoire.ts";
import { writeGrimoire } from "../../src/grimoire/definition/write-grimoire.ts";
import { bead, write, writeBead } from "../support/grimoires.ts";
import { MergeRepo } from "../support/merge-repo.ts";
import { showRun } from "../support/runs.ts";

const builtins = resolve(import.meta.dirname, "../../builtins/grimoires");

/** A grimoire's text in its canonical form. */
function canonical(text: string): string {
  const { grimoire, problems } = readGrimoire(text, "flow.yaml");
  expect(problems.filter(({ severity }) => severity === "error")).toEqual([]);
  return writeGrimoire(grimoire!);
}

/** All kinds of steps, by hand: comments, anchors and an order of keys that the canonical form has not. */
const flow = `# A comment that no run sees.
description: Every kind of step.
name: flow
timeout: 2h
steps:
  - type: script
    name: start
    command: echo {{.bead.title}}
    output: title
  - name: work
    type: agent
    agent: coder
    spell: |
      # Do {{.bead.title}}
      Begun as {{.title}}.
    outputs: [files]
    requires:
      - command: "test -f made.txt"
      - match: cat made.txt
  - name: mend-loop
    type: loop
    max_iterations: 3
    steps:
      - {name: look, type: script, command: "grep -q fixed made.txt", on_fail: continue, on_success: exit_loop}
      - name: mend
        type: agent
        spell: mending
        input: {said: "{{.look.output}}", round: "{{.iteration}}", list: [1, two, {three: null}]}
        timeout: 90s
  - name: only-sometimes
    type: script
    when: "{{.look.success}}"
    shell: bash
    command: |
      set -e
      cat <<'END' > story.txt
      {{.bead.id}}: {{.work.summary}}
      END
  - name: merge
    type: merge
    verify: test -f made.txt
`;

class CodifyRepo extends MergeRepo {
  constructor() {
    super("true");
    this.put(".clew/grimoires/flow.yaml", flow);
    this.put(".clew/spells/mending.md", "Mend {{.bead.id}}: {{.said}}\n");
    writeBead(this, bead, { ...bead, id: "proj-2", title: "Fix the logout" });
    this.git("add", "--all");
    this.git("commit", "-q", "-m", "flow");
    const done = { success: true, summary: "did it", outputs: { files: ["made.txt"] } };
    const turns = [
      { when: "Begun as", write: { path: "made.txt", content: "new\n" } },
      { when: "Begun as", run: "cat made.txt", result: done },
      {
        when: "Mend proj",
        write: { path: "made.txt", content: "fixed\n" },
        result: { success: true, summary: "mended" },
      },
    ];
    write(this, "script.json", JSON.stringify({ turns }));
    Object.assign(this.env, { CLEW_SCRIPT: join(this.root, "script.json") });
  }

  codify(...args: string[]): Promise<CodifiedText> {
    return this.json<CodifiedText>("session", "codify", ...args);
  }
}

describe("S13 a run is codified from its journal", () => {
  test("S13 gives back the canonical form of what ran; it validates, previews and runs", async () => {
    using repo = new CodifyRepo();
    const started = await repo.clewRun("start");
    expect(started).toMatchObject({ code: 4 });
    expect((await repo.clewRun("approve")).code).toBe(0);
    const codified = await repo.codify("latest", "--format", "grimoire");
    expect(codified).toMatchObject({ format: "grimoire", name: "flow", notes: [], problems: [], valid: true });
    expect(codified.text).toBe(canonical(flow));

    expect(await repo.clew("session", "codify", "latest", "-o", "again/flow.yaml")).toContain("Wrote again/flow.yaml");
    expect(repo.text("again/flow.yaml")).toBe(codified.text);
    const named = await repo.clew("session", "codify", "latest", "-o", ".clew/grimoires/as-before.yaml");
    expect(named).toContain("clew grimoire preview as-before --bead ID");
    expect(repo.text(".clew/grimoires/as-before.yaml")).toBe(codified.text.replace("name: flow", "name: as-before"));
    await repo.clew("grimoire", "validate", "as-before");
    await repo.clew("grimoire", "validate", "again/flow.yaml");
    await repo.clew("grimoire", "preview", "again/flow.yaml", "--bead", "proj-2");
    const again = await repo.run(["run", "proj-2", "--grimoire", "again/flow.yaml"]);
    expect([again.code, again.stderr]).toEqual([4, expect.any(String)]);
    expect((await repo.run(["run", "approve", "proj-2"])).code).toBe(0);
    const { steps } = await showRun(repo);
    expect(steps.map(({ path, status }) => `${path} ${status}`)).toContain("only-sometimes succeeded");
    // Of what both runs have in common, which is all of it.
    const { runs } = await repo.json<{ runs: { id: string }[] }>("run", "list", "--all");
    const sessions = await repo.json<{ sessions: { session_id: string }[] }>("session", "list", "--kind", "run");
    expect(runs).toHaveLength(2);
    const common = await repo.codify(...sessions.sessions.map(({ session_id }) => session_id));
    expect(common.text).toBe(codified.text);
  });

  test("S13 a spell that is gone by now stands in its step, and one that has changed is named", async () => {
    using repo = new CodifyRepo();
    await repo.clewRun("start");
    repo.put(".clew/spells/mending.md", "Otherwise: {{.said}}\n");
    expect((await repo.codify("latest")).notes).toContain("the spell mending has changed since the run");
    repo.git("rm", "-qf", ".clew/spells/mending.md");
    const { text, notes, valid } = await repo.codify("latest");
    expect([valid, notes]).toEqual([true, expect.arrayContaining([expect.stringContaining("mending is gone")])]);
    expect(readGrimoire(text, "x").grimoire?.steps[2]).toMatchObject({
      steps: [{ name: "look" }, { name: "mend", spell: "Mend {{.bead.id}}: {{.said}}\n" }],
    });
  });

  test("S13 a run that did not come to its end gives the steps that it came to", async () => {
    using repo = new CodifyRepo();
    const env = { CLEW_SCRIPT: join(repo.root, "failing.json") };
    write(repo, "failing.json", JSON.stringify({ turns: [{ fail: "no" }] }));
    expect((await repo.clewRun("start", [], { env })).code).toBe(3);
    const { text, notes, valid } = await repo.codify("latest");
    expect(valid).toBe(true);
    expect(readGrimoire(text, "x").grimoire!.steps.map(({ name }) => name)).toEqual(["start", "work"]);
    expect(notes[0]).toMatch(/^NOTHING LANDS: no merge step/);
    expect(notes.join("\n")).toContain("left out: mend-loop, look, mend, only-sometimes, merge");
  });
});

describe("S13 what the built-in grimoires did", () => {
  const says = (outputs: object): object => ({ success: true, summary: "done", outputs });
  const played = [
    {
      when: "the text of a pull request",
      result: says({ title: "T", body: "B", commit_message: "M" }),
    },
    { when: "You are a reviewer", result: says({ findings: [] }) },
  ];

  test("S13 prepare-pr gives back prepare-pr", async () => {
    using repo = new CodifyRepo();
    write(repo, "pr.json", JSON.stringify({ turns: played }));
    repo.git("switch", "-q", "-c", "work");
    repo.put("a.txt", "a\n");
    repo.git("add", "a.txt");
    repo.git("commit", "-q", "-m", "work");
    const env = { CLEW_SCRIPT: join(repo.root, "pr.json") };
    const { code, stderr } = await repo.clewRun("start", ["--grimoire", "prepare-pr"], { env });
    expect([code, stderr]).toEqual([0, expect.any(String)]);
    const { text, valid, notes } = await repo.codify("latest");
    // Nothing is added to what ran.
    expect(notes[0]).toMatch(/^NOTHING LANDS: no merge step/);
    expect([valid, text]).toEqual([true, canonical(readFileSync(join(builtins, "prepare-pr.yaml"), "utf8"))]);
  });
});
