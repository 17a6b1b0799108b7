import fc from "fast-check";
import { expect, test } from "vitest";
import { stringify } from "yaml";
import type { Problem } from "../../contract/problem.ts";
import { readGrimoire } from "./read-grimoire.ts";

const whole = `# Every field once.
name: implement-bead
description: Implements a bead, tests it, merges it.
timeout: 4h
steps:
  - name: implement
    type: agent
    spell: implement
    agent: coder
    engine: claude
    model: opus
    input:
      task: "{{.bead.title}}"
      limits: {files: 3, paths: [src, null, true]}
    output: result
    timeout: 1h30m
    on_fail: continue
  - name: quality-loop
    type: loop
    max_iterations: 3
    on_max_iterations: exit
    output: last
    timeout: 1d
    steps:
      - name: run-tests
        type: script
        when: true
        command: |
          npm test
        shell: bash
        input: {}
        output: report
        timeout: 500ms
        on_fail: block
        on_success: exit_loop
      - name: inner
        type: loop
        steps:
          - {name: fix, type: agent, spell: "fix\\nit", when: "{{.previous.failed}}", output: report}
  - name: land
    type: merge
    require_review: false
`;

test("G1 every field of every step is read, defaults are filled in, durations are milliseconds", () => {
  const { grimoire, problems } = readGrimoire(whole, "a.yaml");
  expect(problems).toEqual([]);
  expect(grimoire).toEqual({
    name: "implement-bead",
    description: "Implements a bead, tests it, merges it.",
    timeout_ms: 14_400_000,
    steps: [
      {
        name: "implement",
        type: "agent",
        spell: "implement",
        agent: "coder",
        engine: "claude",
        model: "opus",
        input: { task: "{{.bead.title}}", limits: { files: 3, paths: ["src", null, true] } },
        output: "result",
        timeout_ms: 5_400_000,
        on_fail: "continue",
      },
      {
        name: "quality-loop",
        type: "loop",
        max_iterations: 3,
        on_max_iterations: "exit",
        output: "last",
        timeout_ms: 86_400_000,
        steps: [
          {
            name: "run-tests",
            type: "script",
            when: true,
            command: "npm test\n",
            shell: "bash",
            input: {},
            output: "report",
            timeout_ms: 500,
            on_fail: "block",
            on_success: "exit_loop",
          },
          {
            name: "inner",
            type: "loop",
            max_iterations: 10,
            on_max_iterations: "block",
            steps: [
              {
                name: "fix",
                type: "agent",
                spell: "fix\nit",
                when: "{{.previous.failed}}",
                input: {},
                output: "report",
                on_fail: "block",
              },
            ],
          },
        ],
      },
      { name: "land", type: "merge", require_review: false, strategy: "merge" },
    ],
  });
});

test("G1 a script's shell is sh and a merge is reviewed unless the file says otherwise", () => {
  const text = "name: a\ndescription: b\nsteps:\n- {name: s, type: script, command: x}\n- {name: m, type: merge}\n";
  expect(readGrimoire(text, "a.yaml").grimoire?.steps).toEqual([
    { name: "s", type: "script", command: "x", shell: "sh", input: {}, on_fail: "block" },
    { name: "m", type: "merge", require_review: true, strategy: "merge" },
  ]);
});

test("G1 Windows line ends and a byte order mark change nothing", () => {
  const expected = readGrimoire(whole, "a.yaml").grimoire;
  expect(readGrimoire(`\uFEFF${whole.replaceAll("\n", "\r\n")}`, "a.yaml").grimoire).toEqual(expected);
});

test("G1 aliases repeat what an anchor holds", () => {
  const text = `name: a
description: b
steps:
  - {name: s, type: script, command: &c npm test, input: &i {x: 1}}
  - {name: t, type: script, command: *c, input: *i}
`;
  expect(readGrimoire(text, "a.yaml").grimoire?.steps[1]).toMatchObject({ command: "npm test", input: { x: 1 } });
});

test("H4 gates of an agent step are read, with what they do not say", () => {
  const gates =
    "[{match: npm test}, {tool: edit, count: 2, covers: [src/**]}, {command: make, expect: ok, timeout: 1m}]";
  const text = `name: a\ndescription: b\nsteps:\n- {name: m, type: agent, spell: s, requires: ${gates}}\n`;
  const { grimoire, problems } = readGrimoire(text, "a.yaml");
  expect(problems).toEqual([]);
  expect(grimoire?.steps[0]).toMatchObject({
    requires: [
      { kind: "call", tool: "shell", match: "npm test", exit: 0, count: 1, covers: [], fresh: true },
      { kind: "call", tool: "edit", exit: 0, count: 2, covers: ["src/**"], fresh: true },
      { kind: "command", command: "make", shell: "sh", expect: "ok", timeout_ms: 60_000 },
    ],
  });
});

test("G1 all problems of a file come at once, in its order, with their steps", () => {
  const text = `name: Implement
descripton: x
timeout: 10
steps:
  - name: a
    typ: agent
    spell: 123
    on_failure: contnue
  - type: lop
    name: b-c
    max_iterations: 0.5
    stpes:
      - name: b_c
        type: script
        spell: x
        output: null
      - foo
  - command: x
    when: {{.x}}
`;
  expect(readGrimoire(text, "a.yaml").problems.map(inOneLine)).toEqual([
    '1:7 name: must be like implement-bead (a-z, 0-9 and -, no - first, at most 64), not "Implement"',
    "2:1 unknown key descripton (did you mean description?)",
    "3:10 timeout: must be a duration such as 10m, not 10 (write 10s or 10m)",
    "6:5 [a] unknown key typ (did you mean type?)",
    '7:12 [a] spell: must be text, not 123 (put it in quotes: "123")',
    "8:5 [a] unknown key on_failure (did you mean on_fail?)",
    '8:17 [a] on_fail: must be block, continue or fail, not "contnue" (did you mean continue?)',
    '9:11 [b-c] type: must be agent, script, loop or merge, not "lop" (did you mean loop?)',
    "11:21 [b-c] max_iterations: must be a whole number from 1 to 1000, not 0.5",
    "12:5 [b-c] unknown key stpes (did you mean steps?)",
    "13:9 [b-c/b_c] command: is missing",
    "13:15 [b-c/b_c] name: b_c is already the name of the step at line 10, column 11" +
      " (templates take - and _ as the same; choose another name)",
    "15:9 [b-c/b_c] spell belongs to agent steps; this is a script step",
    '16:17 [b-c/b_c] output: must be text, not null (put it in quotes: "null")',
    '17:9 [b-c/step 2] a step must be a mapping with name and type, not "foo"',
    "18:5 [step 3] type: is missing (its keys are those of a script step: type: script)",
    "18:5 [step 3] name: is missing",
    '19:11 [step 3] text that begins with {{ must stand in quotes (write "{{.x}}")',
  ]);
});

test("G1 a hundred problems are listed, the rest are counted", () => {
  const keys = Array.from({ length: 130 }, (_, index) => `key${index}: 1\n`).join("");
  const { problems } = readGrimoire(`name: a\ndescription: b\nsteps: [{name: m, type: merge}]\n${keys}`, "a.yaml");
  expect(problems).toHaveLength(101);
  expect(problems.at(-1)).toEqual({ severity: "error", file: "a.yaml", line: 104, column: 1, message: "and 30 more" });
});

function inOneLine({ line, column, step, message, hint }: Problem): string {
  return `${line}:${column} ${step === undefined ? "" : `[${step}] `}${message}${hint === undefined ? "" : ` (${hint})`}`;
}

test("G1 arbitrary text never throws", () => {
  const fragment = fc.constantFrom(
    "name: a\n",
    "steps:\n",
    "- ",
    "  ",
    "\t",
    "\n",
    "type: loop\n",
    "type: agent\n",
    "steps: [",
    "{{.x}}",
    "{",
    "}",
    "]",
    "&a ",
    "*a",
    "<<: ",
    "|\n",
    ">-\n",
    '"',
    "'",
    "\\u",
    "!!str ",
    "? ",
    ": ",
    "---\n",
    "%YAML 1.1\n",
    "__proto__: 1\n",
    "😀",
    "\r\n",
    "\0",
  );
  const text = fc.oneof(
    fc.string({ unit: "binary" }),
    fc.array(fragment, { maxLength: 40 }).map((parts) => parts.join("")),
  );
  fc.assert(
    fc.property(text, (input) => {
      const { grimoire, problems, places } = readGrimoire(input, "a.yaml");
      expect(grimoire === undefined).toBe(problems.some((problem) => problem.severity === "error"));
      for (const { line, column } of [...problems, places.of(["steps", 0]), places.within(["name"], 3, 7)]) {
        expect(Math.min(line, column)).toBeGreaterThan(0);
        expect(line).toBeLessThanOrEqual(input.split("\n").length);
      }
    }),
    { numRuns: 400 },
  );
});

test("G1 arbitrary values written as YAML never throw", () => {
  const value = fc.oneof(fc.jsonValue(), fc.constantFrom("10m", "agent", "exit_loop", "bead", true, 5));
  const key = fc.constantFrom(
    "name",
    "type",
    "steps",
    "spell",
    "command",
    "input",
    "output",
    "timeout",
    "when",
    "requires",
    "on_fail",
    "x",
  );
  const { grimoire } = fc.letrec<{ step: unknown; grimoire: unknown }>((tie) => ({
    step: fc.oneof(
      value,
      fc.dictionary(key, fc.oneof(value, fc.array(tie("step"), { maxLength: 3 }))),
      fc.record({
        name: fc.string(),
        type: fc.constantFrom("agent", "script", "loop", "merge"),
        steps: fc.array(tie("step"), { maxLength: 3 }),
      }),
    ),
    grimoire: fc.dictionary(key, fc.oneof(value, fc.array(tie("step"), { maxLength: 3 }))),
  }));
  fc.assert(
    fc.property(grimoire, (written) => {
      const read = readGrimoire(stringify(written), "a.yaml");
      expect(read.grimoire === undefined).toBe(read.problems.some((problem) => problem.severity === "error"));
    }),
    { numRuns: 150 },
  );
});
