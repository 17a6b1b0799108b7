import { expect, test } from "vitest";
import { bead, preview as previewFlow, step, told, writeBead, writeSteps } from "../support/grimoires.ts";
import { Repo } from "../support/repo.ts";

/** A repository with the bead and these steps, previewed. */
async function shown(repo: Repo, steps: string, ...more: string[]) {
  writeBead(repo, bead);
  writeSteps(repo, steps);
  return previewFlow(repo, ...more);
}

test("G6 output names, step names with dashes as underscores, and fields of an agent's result", async () => {
  using repo = new Repo();
  const preview = await shown(
    repo,
    `- {name: find-it, type: agent, output: findings, spell: "Find.\\n"}
- {name: use, type: script, command: 'echo {{.findings.outputs.files}} {{.find_it.summary}} {{.find_it.outputs.key}} {{index . "find-it" "success"}}'}`,
  );
  expect(told(preview.problems)).toEqual([]);
  expect(step(preview, "use").command).toBe(
    "echo '⟨findings.outputs.files⟩' '⟨find-it.summary: text⟩' '⟨find-it.outputs.key⟩' '⟨find-it.success: boolean⟩'",
  );
});

test("G6 an input that is exactly one action keeps its type, at any depth; others become text", async () => {
  using repo = new Repo();
  const preview = await shown(
    repo,
    `- name: a
  type: agent
  spell: "{{json .data}} {{.count}}\\n"
  input:
    data: {deep: ["{{.bead.priority}}", "P{{.bead.priority}}", "{{.bead.labels}}", 7, null]}
    count: "{{len .bead.title}}"
    missing: "{{.bead.design}}"`,
  );
  expect(told(preview.problems)).toEqual([]);
  expect(step(preview, "a").input?.map(({ value }) => value)).toEqual([{ deep: [1, "P1", null, 7, null] }, 13, null]);
  expect(step(preview, "a").prompt).toBe('{"deep":[1,"P1",null,7,null]} 13\n');
});

test("G6 an input of a step is not there for the next one", async () => {
  using repo = new Repo();
  const preview = await shown(
    repo,
    `- {name: a, type: script, command: "echo {{.x}}", input: {x: 1}}
- {name: b, type: script, command: "echo {{.x}}"}`,
  );
  expect(told(preview.problems)).toEqual([expect.stringMatching(/:5:\d+ error: nothing sets \.x$/)]);
});

test("G6 .previous is missing at the first step of a grimoire", async () => {
  using repo = new Repo();
  const preview = await shown(
    repo,
    `- {name: a, type: script, command: "echo {{.previous.output}}"}
- {name: b, type: script, command: "echo {{if .previous}}{{.previous.output}}{{end}}"}`,
  );
  expect(told(preview.problems)).toEqual([expect.stringContaining("there is no step before this one")]);
});

test("G6 inside a loop: .loop_entry is the step before it, .previous comes from the iteration before", async () => {
  using repo = new Repo();
  const preview = await shown(
    repo,
    `- {name: before, type: script, command: "true"}
- name: around
  type: loop
  steps:
    - {name: first, type: script, command: "echo {{.loop_entry.output}} {{.previous.output}} {{.iteration}} {{.second.output}}"}
    - {name: second, type: script, command: "echo {{.previous.output}} {{.loop_entry.success}}"}
- {name: after, type: script, command: "echo {{.previous.failed}} {{.around.output}}"}`,
  );
  expect(told(preview.problems)).toEqual([]);
  expect(step(preview, "around/first").command).toBe(
    "echo '⟨before.output: text⟩' '⟨previous.output⟩' '⟨iteration: int⟩' '⟨second.output: text⟩'",
  );
  expect(step(preview, "around/second").command).toBe("echo '⟨first.output: text⟩' '⟨before.success: boolean⟩'");
  expect(step(preview, "after").command).toBe("echo '⟨around.failed: boolean⟩' '⟨around.output⟩'");
});

test("G6 .loop_entry is an empty object when nothing ran before, and .iteration ends with the loop", async () => {
  using repo = new Repo();
  const preview = await shown(
    repo,
    `- {name: l, type: loop, steps: [{name: a, type: script, command: "echo {{.loop_entry}} {{.loop_entry.output}}"}]}
- {name: b, type: script, command: "echo {{.iteration}}"}`,
  );
  expect(step(preview, "l/a").command).toBe("echo '{}' ''");
  expect(told(preview.problems)).toEqual([
    expect.stringMatching(/:5:\d+ error: \.iteration exists only inside a loop$/),
  ]);
});

test("G6 in nested loops the inner .loop_entry is restored to the outer one on leaving", async () => {
  using repo = new Repo();
  const preview = await shown(
    repo,
    `- {name: zero, type: script, command: "true"}
- name: outer
  type: loop
  steps:
    - {name: one, type: script, command: "true"}
    - {name: inner, type: loop, steps: [{name: two, type: script, command: "echo {{.loop_entry.output}}"}]}
    - {name: three, type: script, command: "echo {{.loop_entry.output}}"}`,
  );
  expect(told(preview.problems)).toEqual([]);
  expect(step(preview, "outer/inner/two").command).toBe("echo '⟨one.output: text⟩'");
  expect(step(preview, "outer/three").command).toBe("echo '⟨zero.output: text⟩'");
});

test("G6 a name that is set only later is an error that names the step", async () => {
  using repo = new Repo();
  const preview = await shown(
    repo,
    `- {name: a, type: script, command: "echo {{.found}}"}
- {name: b, type: script, command: "true", output: found}`,
  );
  expect(told(preview.problems)).toEqual([expect.stringContaining(".found is set only later, by the step b")]);
});

test("G6 a skipped step sets no name, and .previous stays what it was", async () => {
  using repo = new Repo();
  const preview = await shown(
    repo,
    `- {name: a, type: script, command: "true"}
- {name: b, type: script, command: "true", when: false, output: out}
- {name: c, type: script, command: 'echo {{.previous.exit_code}} {{default "none" .out}}'}`,
  );
  expect(told(preview.problems)).toEqual([]);
  expect(step(preview, "c").command).toBe("echo '⟨a.exit_code: int⟩' 'none'");
});

test("G6 fields that no step has are errors with a suggestion", async () => {
  using repo = new Repo();
  const preview = await shown(
    repo,
    `- {name: a, type: script, command: "true"}
- {name: b, type: script, command: "echo {{.a.exitcode}} {{.previous.succes}}"}`,
  );
  expect(preview.problems.map(({ message, hint }) => [message, hint])).toEqual([
    [".a has no field exitcode", "did you mean .a.exit_code?"],
    [".previous has no field succes", "did you mean .previous.success?"],
  ]);
});

test("G7 when is a boolean or exactly one action that gives one: true runs, false skips", async () => {
  using repo = new Repo();
  const preview = await shown(
    repo,
    `- {name: a, type: script, command: "true", when: true}
- {name: b, type: script, command: "true", when: false}
- {name: c, type: script, command: "true", when: '{{eq .bead.issue_type "bug"}}'}
- {name: d, type: script, command: "true", when: '{{gt .bead.priority 2}}'}
- {name: e, type: script, command: "true", when: "{{.previous.failed}}"}`,
  );
  expect(told(preview.problems)).toEqual([]);
  expect(["a", "b", "c", "d", "e"].map((name) => step(preview, name).when?.value)).toEqual([
    true,
    false,
    true,
    false,
    null,
  ]);
});

const notBooleans: [string, string][] = [
  ["{{.bead.title}}", "gives text"],
  ["{{.bead.priority}}", "gives a number"],
  ["{{.bead.design}}", "gives nothing"],
  ["{{.bead}}", "gives an object"],
  ["{{.nul}}", "gives null"],
  ["{{.word}}", "gives text"],
  ["{{.a.output}}", "gives text"],
  ["{{.a.exit_code}}", "gives a number"],
  ["{{.a.success}} ", "exactly one action"],
  ["x{{.a.success}}", "exactly one action"],
  ["{{if .a.success}}true{{end}}", "exactly one action"],
  ["yes", "exactly one action"],
  ["", "exactly one action"],
];

test.each(notBooleans)("G7 when: %j is refused, naming the type", async (when, expected) => {
  using repo = new Repo();
  const preview = await shown(
    repo,
    `- {name: a, type: script, command: "true"}
- {name: b, type: script, command: "true", when: ${JSON.stringify(when)}}`,
    "--var",
    "nul=null",
    "--var",
    'word="true"',
  );
  expect(preview.code).toBe(2);
  const errors = preview.problems.filter(({ severity }) => severity === "error");
  expect(errors.map(({ message, line }) => [line, message])).toEqual([[5, expect.stringContaining(expected)]]);
});

test("G7 a condition on what is missing in a loop's first iteration is an error, with the way out", async () => {
  using repo = new Repo();
  const preview = await shown(
    repo,
    `- name: l
  type: loop
  steps:
    - {name: b, type: script, when: "{{.previous.failed}}", command: "true"}
    - {name: b2, type: script, when: "{{.c.failed}}", command: "true"}
    - {name: b3, type: script, when: "{{default false .c.failed}}", command: "true"}
    - {name: c, type: script, command: "false", on_fail: continue}
    - {name: d, type: script, when: "{{.previous.failed}}", command: "true"}`,
  );
  expect(preview.problems.map(({ severity, line, message, hint }) => [severity, line, message, hint])).toEqual([
    [
      "error",
      7,
      ".previous is missing in the loop's first iteration",
      "say what counts then: {{default false .previous.failed}}",
    ],
    ["error", 8, ".c is missing in the loop's first iteration", "say what counts then: {{default false .c.failed}}"],
  ]);
});

test("G7 a condition on a step that may be skipped, or that a loop may leave out, is a warning", async () => {
  using repo = new Repo();
  const preview = await shown(
    repo,
    `- {name: maybe, type: script, when: '{{eq (print .bead.n) "1"}}', command: "true"}
- {name: sure, type: script, command: "true"}
- {name: open, type: script, when: "{{.sure.success}}", command: "true"}
- {name: uses, type: script, when: "{{.open.success}}", command: "true"}
- name: l
  type: loop
  steps:
    - {name: first, type: script, command: "true", on_success: exit_loop}
    - {name: second, type: script, command: "true"}
- {name: e, type: script, when: "{{.first.success}}", command: "true"}
- {name: f, type: script, when: "{{.second.success}}", command: "true"}`,
  );
  expect(told(preview.problems.filter(({ message }) => !message.includes("bead")))).toEqual([
    expect.stringMatching(/:7:\d+ warning: \.open is missing when the step open is skipped$/),
    expect.stringMatching(/:14:\d+ warning: \.second is missing when the step second is skipped$/),
  ]);
});

test("G6 fields of outputs are checked as far as their type is known", async () => {
  using repo = new Repo();
  const preview = await shown(
    repo,
    `- {name: a, type: agent, spell: "Find.\\n", output: res}
- {name: s, type: script, command: "true", output: total}
- {name: u, type: script, command: "echo {{.res.findings}} {{.total.n}} {{.res.outputs.x}} {{.u.output}}"}`,
  );
  expect(preview.problems.map(({ message, hint }) => [message, hint])).toEqual([
    [".res has no field findings", "what an agent adds stands below outputs: .res.outputs.findings"],
    [".total is text and has no fields", undefined],
    [".u is set by this very step", "what it gives is there for the steps behind it"],
  ]);
});

test("G6 a guarded name that nearly is another is told as a warning", async () => {
  using repo = new Repo();
  const preview = await shown(
    repo,
    `- {name: lint, type: script, command: "true"}
- {name: b, type: script, command: "true", when: "{{not .lnt.failed}}"}
- {name: c, type: script, command: 'echo {{default "" .something_else}}'}`,
  );
  expect(preview.problems.map(({ severity, hint }) => [severity, hint])).toEqual([["warning", "did you mean .lint?"]]);
});

test("G6 --var refuses names that every run sets, and tells of one that nothing asks for", async () => {
  using repo = new Repo();
  const preview = await shown(
    repo,
    `- {name: a, type: script, command: "echo {{.title}}"}`,
    "--var",
    "titel=x",
    "--var",
    "title=y",
  );
  expect(preview.problems.map(({ severity, message, hint }) => [severity, message, hint])).toEqual([
    ["warning", "nothing asks for --var titel", "did you mean title?"],
  ]);
  for (const name of ["bead", "previous", "iteration", "loop_entry"]) {
    const { code } = await repo.refused(["grimoire", "preview", "flow", "-b", "proj-1", "--var", `${name}=1`]);
    expect(code).toBe("usage");
  }
});

test("G7 when may be a block of YAML, which ends in a newline", async () => {
  using repo = new Repo();
  const preview = await shown(
    repo,
    `- {name: a, type: script, command: "true"}
- name: b
  type: script
  when: |
    {{.a.failed}}
  command: "true"`,
  );
  expect(told(preview.problems)).toEqual([]);
});
