import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { expect, test } from "vitest";
import { bead, preview, step, told, write, writeBead, writeSteps } from "../support/grimoires.ts";
import { Repo } from "../support/repo.ts";

interface Listed {
  grimoires: { name: string; origin: string; overridden: boolean; errors: number; steps?: number }[];
}
interface Checked {
  valid: boolean;
  grimoires: { name: string; valid: boolean; problems: Parameters<typeof told>[0] }[];
}

test("G1 the built-in grimoires are there without any setup, and nothing is wrong with them", async () => {
  using repo = new Repo();
  const { grimoires } = await repo.json<Listed>("grimoire", "list");
  expect(grimoires.map(({ name, origin }) => [name, origin])).toEqual([
    ["implement-bead", "built-in"],
    ["prepare-pr", "built-in"],
    ["spec-to-beads", "built-in"],
  ]);
  const checked = await repo.json<Checked>("grimoire", "validate");
  expect(checked.valid).toBe(true);
  expect(checked.grimoires.flatMap(({ problems }) => problems.filter(({ severity }) => severity === "error"))).toEqual(
    [],
  );
});

test("G1 what the build keeps of the built-in grimoires is what their files say", async () => {
  using repo = new Repo();
  for (const name of ["implement-bead", "prepare-pr", "spec-to-beads"]) {
    const file = resolve(import.meta.dirname, `../../builtins/grimoires/${name}.yaml`);
    const kept = await repo.json("grimoire", "show", name);
    const read = await repo.json("grimoire", "show", file);
    expect(kept["grimoire"]).toEqual(read["grimoire"]);
    expect(kept["text"]).toBe(readFileSync(file, "utf8"));
  }
});

test("G1 a file in .clew/grimoires/ is a grimoire, and goes before a built-in one of the same name", async () => {
  using repo = new Repo();
  writeSteps(repo, "- {name: say, type: script, command: echo hi}");
  write(repo, ".clew/grimoires/own.yml", "name: implement-bead\ndescription: Ours.\nsteps: [{name: m, type: merge}]\n");
  const { grimoires } = await repo.json<Listed>("grimoire", "list");
  expect(grimoires.map(({ name, origin, overridden }) => [name, origin, overridden])).toEqual([
    ["flow", "repository", false],
    ["implement-bead", "repository", false],
    ["implement-bead", "built-in", true],
    ["prepare-pr", "built-in", false],
    ["spec-to-beads", "built-in", false],
  ]);
  expect(await repo.clew("grimoire", "show", "implement-bead")).toContain("description: Ours.");
  expect(await repo.clew("grimoire", "list")).toMatch(/^implement-bead +built-in, overridden +\d+ /m);
});

test("G1 two files of the repository with one name are refused, naming both", async () => {
  using repo = new Repo();
  write(repo, ".clew/grimoires/a.yaml", "name: same\ndescription: A.\nsteps: [{name: m, type: merge}]\n");
  write(repo, ".clew/grimoires/b.yaml", "name: same\ndescription: B.\nsteps: [{name: m, type: merge}]\n");
  const { message } = await repo.refused(["grimoire", "show", "same"]);
  expect(message).toBe(".clew/grimoires/a.yaml and .clew/grimoires/b.yaml both say name: same");
});

test("G1 an unknown name is refused with a suggestion", async () => {
  using repo = new Repo();
  expect(await repo.refused(["grimoire", "show", "implement-baed"])).toMatchObject({
    code: "unknown_grimoire",
    hint: "did you mean implement-bead?",
  });
  expect((await repo.refused(["grimoire", "validate", "none.yaml"])).message).toBe("there is no file none.yaml");
});

test("G1 all errors at once, each by file, line and column, with a suggestion for misspelt keys", async () => {
  using repo = new Repo();
  write(
    repo,
    ".clew/grimoires/bad.yaml",
    `name: bad
descripton: misspelt
steps:
  - name: test
    type: script
    comand: npm test
    timeout: ten minutes
  - name: again
    type: loop
    max_iterations: 0
    steps:
      - name: fix
        type: agnet
        spell: fix
`,
  );
  const outcome = await repo.run(["grimoire", "validate", ".clew/grimoires/bad.yaml", "--json"]);
  expect(outcome.code).toBe(2);
  const { grimoires } = JSON.parse(outcome.stdout) as Checked;
  const problems = grimoires[0]!.problems;
  const lines = problems.map(({ line }) => line);
  expect(lines).toEqual(expect.arrayContaining([2, 6, 7, 10, 13]));
  expect(problems.find(({ line }) => line === 2)).toMatchObject({ file: ".clew/grimoires/bad.yaml", column: 1 });
  const all = JSON.stringify(problems);
  expect(all).toContain("did you mean description?");
  expect(all).toContain("did you mean command?");
  expect(all).toContain("did you mean agent?");
  const text = await repo.run(["grimoire", "validate", ".clew/grimoires/bad.yaml"]);
  expect(text.stdout).toContain(".clew/grimoires/bad.yaml:2:1: error: ");
});

test("G1 every field of every step type is taken, loops nest, durations are read", async () => {
  using repo = new Repo();
  writeBead(repo, bead);
  write(repo, ".clew/spells/do.md", "Do {{.bead.title}} with {{.what}}.\n");
  writeSteps(
    repo,
    `- name: outer
  type: loop
  max_iterations: 3
  on_max_iterations: continue
  timeout: 1h30m
  output: last
  steps:
    - name: inner
      type: loop
      on_max_iterations: exit
      steps:
        - name: work
          type: agent
          spell: do
          input: {what: care}
          agent: coder
          engine: hal
          model: opus
          output: work_done
          timeout: 10m
          on_fail: continue
          on_success: exit_loop
          requires: [{command: npm test, expect: 0}]
    - name: check
      type: script
      command: true
      shell: bash
      timeout: 90s
      when: true
- name: land
  type: merge
  require_review: false
`.replace("command: true", 'command: "true"'),
  );
  const shown = await preview(repo);
  expect(told(shown.problems.filter(({ severity }) => severity === "error"))).toEqual([]);
  // The form is right, though this version has no such engine.
  expect([shown.code, shown.refusals.map(({ code }) => code)]).toEqual([2, ["unknown_engine"]]);
  expect(step(shown, "outer")).toMatchObject({
    max_iterations: 3,
    on_max_iterations: "continue",
    timeout_ms: 5_400_000,
  });
  expect(step(shown, "outer/inner")).toMatchObject({ max_iterations: 10, on_max_iterations: "exit" });
  expect(step(shown, "outer/inner/work")).toMatchObject({
    agent: "coder",
    engine: "hal",
    model: "opus",
    timeout_ms: 600_000,
    on_fail: "continue",
    on_success: "exit_loop",
    sets: ["work", "work_done"],
    prompt: "Do Fix the login with care.\n",
  });
  expect(step(shown, "outer/check")).toMatchObject({ shell: "bash", timeout_ms: 90_000, when: { value: true } });
  expect(step(shown, "land")).toMatchObject({ type: "merge", require_review: false });
});

test("G1 H4 requires stands in agent steps alone, and a preview says what it asks for", async () => {
  using repo = new Repo();
  writeSteps(repo, '- {name: a, type: script, command: "true", requires: [{command: npm test}]}');
  const { code, stdout } = await repo.run(["grimoire", "validate", "flow"]);
  expect([code, stdout]).toEqual([
    2,
    expect.stringMatching(/flow\.yaml:4:\d+: error: requires belongs to agent steps/),
  ]);
  writeBead(repo, bead);
  writeSteps(repo, "- name: a\n  type: agent\n  spell: |\n    Do it.\n    Now.\n  requires: [{match: npm test}]");
  expect(step(await preview(repo), "a").requires).toEqual(["the agent runs npm test, which exits with 0"]);
});

test("G1 on_success: exit_loop outside a loop is refused", async () => {
  using repo = new Repo();
  writeSteps(repo, '- {name: a, type: script, command: "true", on_success: exit_loop}');
  const { code, stdout } = await repo.run(["grimoire", "validate", "flow"]);
  expect(code).toBe(2);
  expect(stdout).toMatch(/flow\.yaml:4:\d+: error: .*exit_loop/);
});

test("G1 a link that leads out of the repository is not read, and hides no other grimoire", async () => {
  using repo = new Repo();
  using other = new Repo();
  write(other, "secret.yaml", "name: secret\ndescription: Not yours.\nsteps: [{name: m, type: merge}]\n");
  mkdirSync(join(repo.root, ".clew/grimoires"), { recursive: true });
  symlinkSync(join(other.root, "secret.yaml"), join(repo.root, ".clew/grimoires/secret.yaml"));
  writeSteps(repo, "- {name: m, type: merge}");
  const listed = await repo.clew("grimoire", "list", "--json");
  expect(listed).not.toContain("Not yours");
  expect(JSON.parse(listed) as Listed).toMatchObject({
    grimoires: [{ name: "flow", errors: 0 }, { name: "secret", errors: 1 }, {}, {}, {}],
  });
  expect((await repo.run(["grimoire", "validate"])).stdout).toContain("leads out of the repository");
});

test("G1 schema is a JSON Schema that names every field and step type", async () => {
  using repo = new Repo();
  const schema = await repo.clew("grimoire", "schema");
  expect(JSON.parse(schema)).toMatchObject({ $schema: "https://json-schema.org/draft/2020-12/schema" });
  for (const word of ["steps", "on_max_iterations", "require_review", "exit_loop", "merge", "timeout"]) {
    expect(schema).toContain(`"${word}"`);
  }
});

test("G1 a grimoire named by its path needs no repository", async () => {
  using repo = new Repo();
  write(repo, "x/some.yaml", "name: some\ndescription: S.\nsteps: [{name: m, type: merge}]\n");
  const { code, stdout } = await repo.run(["grimoire", "validate", join(repo.root, "x/some.yaml")], { cwd: "/" });
  expect([code, stdout]).toEqual([0, expect.stringContaining("✓ some")]);
});

test("G1 a wrong form in one step does not hide what is wrong in the templates, spells and scripts of others", async () => {
  using repo = new Repo();
  writeSteps(
    repo,
    `- {name: a, type: script, command: "true", timeout: soon}
- {name: b, type: agent, spell: implment}
- {name: c, type: script, command: "eval {{.bead.title}}"}
- name: l
  type: loop
  max_iterations: 0
  steps:
    - {name: d, type: script, command: "echo {{.x"}
- {name: e, type: script, command: "echo {{.a.output}}"}`,
  );
  const { code, stdout } = await repo.run(["grimoire", "validate", "flow", "--json"]);
  const [checked] = (JSON.parse(stdout) as Checked).grimoires;
  expect([code, checked!.problems.map(({ line }) => line).sort((a, b) => a - b)]).toEqual([2, [4, 5, 6, 9, 11]]);
});

test("G1 files of one name and files called otherwise are told of", async () => {
  using repo = new Repo();
  write(repo, ".clew/grimoires/a.yaml", "name: same\ndescription: A.\nsteps: [{name: m, type: merge}]\n");
  write(repo, ".clew/grimoires/same.yml", "name: same\ndescription: B.\nsteps: [{name: m, type: merge}]\n");
  const both = JSON.parse((await repo.run(["grimoire", "validate", "--json"])).stdout) as Checked;
  expect(both.grimoires.slice(0, 2).flatMap(({ problems }) => problems.map(({ message }) => message))).toEqual([
    ".clew/grimoires/same.yml says name: same too",
    ".clew/grimoires/a.yaml says name: same too",
  ]);
  write(repo, ".clew/grimoires/same.yml", "name: other\ndescription: B.\nsteps: [{name: m, type: merge}]\n");
  const { valid, grimoires } = await repo.json<Checked>("grimoire", "validate");
  expect(valid).toBe(true);
  expect(grimoires[1]!.problems).toMatchObject([
    { severity: "warning", hint: "call the file other.yaml, or change its name" },
  ]);
});

test("G1 what cannot be read is told, and hides nothing: circles of links, other encodings, pipes", async () => {
  using repo = new Repo();
  writeSteps(repo, "- {name: m, type: merge}");
  writeBead(repo, bead);
  symlinkSync("loop.yaml", join(repo.root, ".clew/grimoires/loop.yaml"));
  writeFileSync(join(repo.root, ".clew/grimoires/latin.yaml"), Buffer.from("name: caf\xe9\n", "latin1"));
  execFileSync("mkfifo", [join(repo.root, ".clew/grimoires/pipe.yaml")]);
  const text = (await repo.run(["grimoire", "validate"])).stdout;
  expect(text).toContain(".clew/grimoires/latin.yaml:1:1: error: is not UTF-8 text");
  expect(text).toContain(
    ".clew/grimoires/loop.yaml:1:1: error: is a link that leads out of the repository, or nowhere",
  );
  expect((await preview(repo)).valid).toBe(true);
  rmSync(join(repo.root, ".beads/issues.jsonl"));
  execFileSync("mkfifo", [join(repo.root, ".beads/issues.jsonl")]);
  expect((await repo.refused(["grimoire", "preview", "flow", "--bead", "proj-1"])).code).toBe("damaged_beads");
});

test("G3 a bead with labels that are none is named by its line, and a label that names no grimoire is told", async () => {
  using repo = new Repo();
  const odd = [{ labels: "x" }, { labels: { a: 1 } }, { labels: [1, null] }, { labels: null, issue_type: 5 }];
  writeBead(repo, ...odd.map((fields, at) => ({ ...bead, id: `p-${at}`, ...fields })), {
    ...bead,
    id: "p-x",
    labels: ["grimoire:nope"],
  });
  for (const at of odd.keys()) {
    const { code, message } = await repo.refused(["grimoire", "preview", "--bead", `p-${at}`]);
    expect([code, message.split(" ")[0]]).toEqual(["damaged_beads", `.beads/issues.jsonl:${at + 1}:`]);
  }
  const { message } = await repo.refused(["grimoire", "preview", "--bead", "p-x"]);
  expect(message).toBe("there is no grimoire nope (label grimoire:nope)");
});

test("G8 a command with thousands of values on one line is checked in one go", async () => {
  using repo = new Repo();
  writeBead(repo, bead);
  writeSteps(repo, `- {name: a, type: script, command: "echo ${"{{.bead.id}} é😀".repeat(6000)}"}`);
  const shown = await preview(repo);
  expect([shown.code, step(shown, "a").command?.length]).toEqual([0, 5 + 6000 * "'proj-1' é😀".length]);
});

test("G1 the grimoire that the README shows can be used as it stands", async () => {
  using repo = new Repo();
  const readme = readFileSync(resolve(import.meta.dirname, "../../README.md"), "utf8");
  write(repo, ".clew/grimoires/fix-bug.yaml", /```yaml\n(.*?)```/s.exec(readme)![1]!);
  const { valid, grimoires } = await repo.json<Checked>("grimoire", "validate", "fix-bug");
  expect([valid, grimoires.flatMap(({ problems }) => told(problems))]).toEqual([true, []]);
});
