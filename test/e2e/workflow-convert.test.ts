import { expect, test } from "vitest";
import type { ConvertedGrimoire } from "../../src/contract/api/grimoire.ts";
import type { Problem } from "../../src/contract/problem.ts";
import { told, write } from "../support/grimoires.ts";
import { RunRepo } from "../support/run-repo.ts";

class ConvertRepo extends RunRepo {
  constructor(file: string, text: string) {
    super("- {name: unused, type: script, command: 'true'}");
    write(this, file, text);
  }

  async converts(file: string): Promise<{ text: string; losses: string[] }> {
    const { text, losses } = await this.json<ConvertedGrimoire>("grimoire", "convert", file);
    return { text, losses: losses.map(({ step, message }) => (step === undefined ? message : `${step}: ${message}`)) };
  }
}

const loop = `name: loopy
description: Mends until the tests pass.
steps:
  - {name: start, type: script, command: echo go, output: base}
  - name: quality
    type: loop
    max_iterations: 4
    timeout: 1h
    steps:
      - {name: run-tests, type: script, command: test -f good, on_fail: continue, on_success: exit_loop}
      - {name: mend, type: agent, when: "{{.previous.failed}}", spell: "Mend it.\\nNow.\\n", input: {report: "{{.run_tests.output}}"}}
      - {name: note, type: script, command: touch noted}
  - name: maybe
    type: loop
    when: "{{.start.success}}"
    steps:
      - {name: tidy, type: script, command: touch tidy}
  - {name: tell, type: script, command: echo told}
`;

test("S13 a loop as markup runs once: what leaves it is If X.failed, and its own condition holds for each step", async () => {
  using repo = new ConvertRepo("loopy.yaml", loop);
  const { text, losses } = await repo.converts("loopy.yaml");
  expect(losses).toEqual([
    "quality: loops exist in the grimoire form only: its steps stand there to run once, without max_iterations, on_max_iterations, timeout",
    "maybe: loops exist in the grimoire form only: its steps stand there to run once, without max_iterations, on_max_iterations",
  ]);
  expect(text).toContain("start → run-tests → tell\n");
  expect(text).toContain("If run-tests.failed → proceed to mend\nIf run-tests.failed → proceed to note\n");
  expect(text).toContain("If start.success → proceed to tidy\n");
  expect(text).toContain("Takes report → creates nothing\n");
  write(repo, "loopy.md", text);
  expect(await repo.clew("grimoire", "validate", "loopy.md")).toContain("Nothing is wrong");
  const env = repo.plays({ when: "Mend it", result: { success: true, summary: "M" } });
  await repo.run(["run", "proj-1", "--grimoire", "loopy.md"], { env });
  const { run } = await repo.json<{ run: { status: string; steps: { path: string; status: string }[] } }>(
    "run",
    "show",
    await repo.runId(),
  );
  expect(run.steps.map(({ path, status }) => `${path} ${status}`)).toEqual([
    "start succeeded",
    "run-tests failed",
    "mend succeeded",
    "note succeeded",
    "tidy succeeded",
    "tell succeeded",
  ]);
});

test("S13 a step whose .previous becomes another one is told, and so is what no longer validates without what is left out", async () => {
  using repo = new ConvertRepo(
    "lost.yaml",
    `name: lost
description: Loses much.
steps:
  - {name: one, type: script, command: echo 1}
  - name: again
    type: loop
    output: last
    steps:
      - {name: two, type: script, command: "echo {{.iteration}}", on_success: exit_loop}
  - {name: three, type: script, when: "{{.previous.success}}", command: "echo {{.again.output}}"}
  - {name: land, type: merge}
`,
  );
  expect((await repo.converts("lost.yaml")).losses).toEqual([
    "again: loops exist in the grimoire form only: its steps stand there to run once, without max_iterations, on_max_iterations, output",
    "three: .previous is another step there",
    "land: merges exist in the grimoire form only: the step is left out",
    "two: .iteration exists only inside a loop, so that it does not run as it is (lost.md:18:8)",
    "three: nothing sets .again, so that it does not run as it is (lost.md:26:8)",
  ]);
});

test("S13 conditions for people count as false in a grimoire, and are told as what is left out", async () => {
  using repo = new ConvertRepo(
    "talk.md",
    "---\ntype: workflow\n---\n## A @sh\n\n```sh\necho a\n```\n\nIf it looks fine → proceed to B\nOtherwise → proceed to C\n\n## B @sh\n\n```sh\necho b\n```\n\n## C @sh\n\n```sh\necho c\n```\n",
  );
  const { text, losses } = await repo.converts("talk.md");
  expect(losses).toEqual(['A: the condition "it looks fine", which is for people: it counts as false']);
  write(repo, "talk.yaml", text);
  expect(await repo.clew("grimoire", "validate", "talk.yaml")).toContain("Nothing is wrong");
  expect(text).toContain('- name: B\n    type: script\n    when: "{{false}}"\n');
});

test("S13 convert names comments, keys and names that the other form has no place for", async () => {
  using repo = new ConvertRepo(
    "noted.yaml",
    "# Mine.\nname: noted\ndescription: Has notes. # here\nsteps:\n  - {name: one, type: script, command: 'echo # no'}\n",
  );
  expect((await repo.converts("noted.yaml")).losses).toEqual(["comments of YAML: 2"]);
  write(
    repo,
    "kept.md",
    '---\ntype: workflow\ndescription: Says.\ncustom: {a: 1}\nowner: "#me"\n---\n# Title\n\n## Say hi there @sh\n\n```sh\necho hi\n```\n\n```json\n{}\n```\n\nTakes nothing → creates:\n- words::Text\n',
  );
  expect((await repo.converts("kept.md")).losses).toEqual([
    "the key custom of the frontmatter",
    "the key owner of the frontmatter",
    "the title, beside the description",
    "Say hi there: its name: the step is called Say-hi-there",
    "Say hi there: its text beside the spell or script",
    "Say hi there: the type of what it creates",
  ]);
});

test("S13 convert gives a pipe the very bytes, those of CRLF too, and show its lines without them", async () => {
  const text = "---\r\ntype: workflow\r\n---\r\n## A @coder\r\n\r\nSay\ta | b.\r\n";
  using repo = new ConvertRepo("returns.md", text);
  const converted = await repo.run(["grimoire", "convert", "returns.md", "--to", "markup"]);
  expect(converted.stdout).toBe(text);
  const shown = await repo.run(["grimoire", "show", "returns.md"]);
  expect(shown.stdout).toBe(text.replaceAll("\r\n", "\n"));
});

test("S13 every malformed thing that a node creates is an error, and so is a heading without a blank", async () => {
  using repo = new ConvertRepo(
    "bad.md",
    "---\ntype: workflow\n---\n## A @coder\n\nSay.\n\nTakes bead → creates:\n- a b\n- plan\n- 1x\n- c::\n\n##B @coder\n\n##note\n",
  );
  const { stdout } = await repo.run(["grimoire", "validate", "bad.md", "--json"]);
  const { grimoires } = JSON.parse(stdout) as { grimoires: { problems: Problem[] }[] };
  expect(told(grimoires[0]!.problems)).toEqual([
    "bad.md:9:3 error: must be like plan, plan::Plan or tests::Test[]",
    "bad.md:11:3 error: must be like plan, plan::Plan or tests::Test[]",
    "bad.md:12:3 error: must be like plan, plan::Plan or tests::Test[]",
    "bad.md:14:3 error: no blank behind ##: this is text, and no node",
    "bad.md:16:3 warning: no blank behind ##: this is text, and no node",
  ]);
});
