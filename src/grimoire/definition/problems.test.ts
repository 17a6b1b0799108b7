import { expect, test } from "vitest";
import { readGrimoire } from "./read-grimoire.ts";

/** `line:column message (hint)` of every problem. */
function problemsOf(text: string): string[] {
  return readGrimoire(text, "a.yaml").problems.map(
    ({ line, column, message, hint }) => `${line}:${column} ${message}${hint === undefined ? "" : ` (${hint})`}`,
  );
}

/** A grimoire whose only step begins at line 4, column 3. */
const withStep = (fields: string): string => `name: a\ndescription: b\nsteps:\n- name: s\n  ${fields}\n`;
const withScript = (fields: string): string => withStep(`type: script\n  command: x\n  ${fields}`);

const identifier = "must be like test_result (letters, digits and _, no digit first, at most 64)";

test.each<[what: string, text: string, ...problems: string[]]>([
  ["nothing", "", "1:1 the file is empty (write name, description and steps)"],
  ["a comment", "# a\n", "1:1 the file is empty (write name, description and steps)"],
  ["a list", "- a\n", "1:1 a grimoire is a mapping, not a list (write name, description and steps)"],
  ["a word", "hello\n", '1:1 a grimoire is a mapping, not "hello" (write name, description and steps)'],
  ["an empty mapping", "{}\n", "1:1 name: is missing", "1:1 description: is missing", "1:1 steps: is missing"],
  [
    "empty fields",
    "name: ''\ndescription: ' '\nsteps: []\n",
    '1:7 name: must be like implement-bead (a-z, 0-9 and -, no - first, at most 64), not ""',
    "2:14 description: must not be empty",
    "3:8 steps: must hold at least one step",
  ],
  ["steps that are none", "name: a\ndescription: b\nsteps: x\n", '3:8 steps: must be a list of steps, not "x"'],
  [
    "an empty step",
    "name: a\ndescription: b\nsteps:\n-\n",
    "4:2 a step must be a mapping with name and type, not null",
  ],
])("G1 the top: %s", (_, text, ...problems) => {
  expect(problemsOf(text)).toEqual(problems);
});

test.each<[what: string, text: string, ...problems: string[]]>([
  [
    "a tab",
    withStep("type: merge").replace("  type", "\ttype"),
    "5:1 a tab stands in the indentation (indent with spaces)",
  ],
  [
    "a bare template before more text",
    withStep("type: script\n  command: {{.x}} y"),
    "6:19 something stands here that YAML does not expect (put text that begins with {{ in quotes)",
  ],
  [
    "a bare template with quotes inside",
    withScript('when: {{eq .x "y"}}'),
    `7:9 text that begins with {{ must stand in quotes (write '{{eq .x "y"}}')`,
  ],
  [
    "a colon in bare text",
    withStep("type: script\n  command: echo: x"),
    "6:12 a list or mapping begins behind a key, on the same line" +
      " (put text with a colon in quotes; begin lists and mappings on a line of their own)",
  ],
  ["an open quote", withStep('type: "merge'), "5:9 a quote opens here and is never closed"],
  [
    "a wrong escape, and the rest all the same",
    withScript('timeout: "\\d"'),
    '7:12 timeout: must be a duration such as 10m, not "\\\\d"',
    "7:13 not an escape that YAML knows (write \\\\ for a backslash, or use single quotes)",
  ],
  [
    "a second document",
    `${withStep("type: merge")}---\na: b\n`,
    "6:1 a second document begins here (put each grimoire into a file of its own)",
  ],
  ["a tag", withStep("type: !x merge"), "5:9 tags such as this one are not supported (remove it)"],
  [
    "a merge key",
    withStep("type: merge\n  <<: {when: true}"),
    "6:3 merge keys (<<) are not supported (write the fields out)",
  ],
  [
    "a repeated key",
    withStep("type: merge\n  name: t"),
    "6:3 the key name stands here a second time; the first is at line 4, column 3 (remove one of them)",
  ],
  ["a dangerous key", withScript("input: {a: {__proto__: 1}}"), "7:15 the key __proto__ is not allowed"],
  ["a key that is a list", withScript("input: {[a]: 1}"), "7:11 a key must be text"],
  ["a key that is missing", withScript("input: {: 1}"), "7:11 a key is missing"],
  [
    "an unknown alias",
    withScript("input: {a: &one 1, b: *on}"),
    "7:25 no anchor &on stands before *on (did you mean one?)",
  ],
  ["an alias in itself", withScript("input: {a: &a [*a]}"), "7:18 *a stands inside its own anchor"],
  ["a number beyond JSON", withScript("input: {a: .inf}"), "7:14 .inf is no number that JSON knows (put it in quotes)"],
  [
    "a number that is not exact",
    withScript("input: {a: 12345678901234567890}"),
    "7:14 12345678901234567890 is too large to be exact (put it in quotes)",
  ],
  ["NUL", withScript('input: {a: "\\0"}'), "7:14 text must not contain NUL characters"],
  [
    "half a character",
    withScript('input: {a: "\\ud83d"}'),
    "7:14 text holds half a character (write the character itself)",
  ],
])("G1 the YAML: %s", (_, text, ...problems) => {
  expect(problemsOf(text)).toEqual(problems);
});

const mergeKeys = "name, type, when, require_review, strategy, verify, shell, timeout, on_changes and on_success";

test.each<[what: string, text: string, ...problems: string[]]>([
  ["an unknown key", withScript("on_failure: block"), "7:3 unknown key on_failure (did you mean on_fail?)"],
  [
    "a key of another type",
    withStep("type: agent\n  spell: x\n  command: x"),
    "7:3 command belongs to script steps; this is an agent step",
  ],
  [
    "a key of several other types",
    withStep("type: merge\n  output: x"),
    "6:3 output belongs to agent, script and loop steps; this is a merge step",
  ],
  [
    "a misspelt key of another type",
    withStep("type: merge\n  comand: x"),
    "6:3 unknown key comand (did you mean command? it belongs to script steps)",
  ],
  [
    "a key of the top",
    withScript("description: x"),
    "7:3 description belongs to the top of the grimoire; this is a script step",
  ],
  [
    "a step's key at the top",
    `command: x\n${withStep("type: merge")}`,
    "1:1 command belongs to script steps; this is the top of the grimoire",
  ],
  ["a key like none", withStep("type: merge\n  colour: red"), `6:3 unknown key colour (a merge step has ${mergeKeys})`],
  [
    "no type, but telling keys",
    withStep("spell: x"),
    "4:3 type: is missing (its keys are those of an agent step: type: agent)",
  ],
  ["no type", withStep("when: true"), "4:3 type: is missing (write type: agent, script, loop or merge)"],
  [
    "a misspelt type",
    withStep("type: Agent\n  spell: x"),
    '5:9 type: must be agent, script, loop or merge, not "Agent" (did you mean agent?)',
  ],
  [
    "an unknown type with telling keys",
    withStep("type: bash\n  command: x"),
    '5:9 type: must be agent, script, loop or merge, not "bash" (its keys are those of a script step: type: script)',
  ],
  ["an unknown type", withStep("type: parallel"), '5:9 type: must be agent, script, loop or merge, not "parallel"'],
  [
    "a name with a space",
    withStep("type: merge").replace("name: s", "name: a b"),
    '4:9 name: must be like run-tests (letters, digits, - and _, a letter first, at most 64), not "a b"',
  ],
  ["a value that is missing", withScript("output:"), "7:3 output: has no value (write one, or remove the key)"],
  [
    "a number for text",
    withStep("type: agent\n  spell: 123"),
    '6:10 spell: must be text, not 123 (put it in quotes: "123")',
  ],
  [
    "a boolean for text",
    withStep("type: agent\n  spell: true"),
    '6:10 spell: must be text, not true (put it in quotes: "true")',
  ],
  ["a list for text", withStep("type: agent\n  spell: [a]"), "6:10 spell: must be text, not a list"],
  ["an output with a dash", withScript("output: a-b"), `7:11 output: ${identifier}, not "a-b"`],
  ["an input name with a dash", withScript("input: {a-b: 1}"), `7:11 input: the name "a-b" ${identifier}`],
  ["an input that is a list", withScript("input: [1]"), "7:10 input: must be a mapping of names to values, not a list"],
  ["a duration in words", withScript("timeout: ten"), '7:12 timeout: must be a duration such as 10m, not "ten"'],
  [
    "a duration without a unit",
    withScript("timeout: 300"),
    "7:12 timeout: must be a duration such as 10m, not 300 (write 300s or 300m)",
  ],
  [
    "a duration without a unit, quoted",
    withScript('timeout: "5"'),
    '7:12 timeout: must be a duration such as 10m, not "5" (write 5s or 5m)',
  ],
  ["a duration of nothing", withScript("timeout: 0s"), '7:12 timeout: must be more than 0s and at most 30d, not "0s"'],
  ["a duration of months", withScript("timeout: 31d"), '7:12 timeout: must be more than 0s and at most 30d, not "31d"'],
  [
    "a condition in quotes",
    withScript('when: "true"'),
    '7:9 when: must be true, false or a template, not the text "true" (drop the quotes: when: true)',
  ],
  ["a condition that is a number", withScript("when: 1"), "7:9 when: must be true, false or a template, not 1"],
  [
    "a misspelt choice",
    withScript("on_fail: contine"),
    '7:12 on_fail: must be block, continue or fail, not "contine" (did you mean continue?)',
  ],
  ["an empty command", withStep("type: script\n  command: '  '"), "6:12 command: must not be empty"],
  [
    "too many iterations",
    withStep("type: loop\n  max_iterations: 1001\n  steps: [{name: m, type: merge}]"),
    "6:19 max_iterations: must be a whole number from 1 to 1000, not 1001",
  ],
  [
    "a review that is no boolean",
    withStep('type: merge\n  require_review: "no"'),
    '6:19 require_review: must be true or false, not "no"',
  ],
  [
    "gates that are no mappings",
    withStep("type: agent\n  spell: s\n  requires: [x]"),
    '7:14 requires[0]: must be a mapping, not "x"',
  ],
  [
    "a gate that asks for nothing",
    withStep("type: agent\n  spell: s\n  requires: [{exit: 0}]"),
    "7:14 requires[0]: says neither tool nor match nor command (match: npm test for what the agent must run, command: npm test for what Clew runs itself)",
  ],
  [
    "a gate of both kinds",
    withStep("type: agent\n  spell: s\n  requires: [{match: npm test, expect: 0}, {command: x, count: 2}]"),
    "7:32 requires[0]: expect does not go with a call that the agent makes",
    "7:57 requires[1]: count does not go with a command that Clew runs",
  ],
  [
    "a gate that no call can pass",
    withStep("type: agent\n  spell: s\n  requires: [{match: npm test || true, covers: [../x]}]"),
    "7:15 requires[0]: match must be the words of one command: what has ; | & or > in it never counts",
    "7:40 requires[0]: covers has ../x, which is no path below the root (write it as src/**)",
  ],
  [
    "a gate whose words end too early",
    withStep("type: agent\n  spell: s\n  requires: [{match: npm ... test}]"),
    "7:15 requires[0]: match may have … only at its end",
  ],
  [
    "a gate that matches words of a tool without any",
    withStep("type: agent\n  spell: s\n  requires: [{tool: edit, match: a}]"),
    "7:27 requires[0]: match goes with tool: shell only",
  ],
])("G1 a step: %s", (_, text, ...problems) => {
  expect(problemsOf(text)).toEqual(problems);
});

const twoSteps = (first: string, second: string): string =>
  `name: a\ndescription: b\nsteps:\n- {type: script, command: x, ${first}}\n- {type: script, command: x, ${second}}\n`;
const reserved = "(templates know this name already; choose another)";

test.each<[what: string, text: string, ...problems: string[]]>([
  ["a name twice", twoSteps("name: s", "name: s"), "5:36 name: s is already the name of the step at line 4, column 36"],
  [
    "a name twice but for a dash",
    twoSteps("name: a-b", "name: a_b"),
    "5:36 name: a_b is already the name of the step at line 4, column 36 (templates take - and _ as the same; choose another name)",
  ],
  ["a reserved step name", twoSteps("name: s", "name: loop-entry"), `5:36 name: loop-entry is reserved ${reserved}`],
  [
    "a reserved output",
    twoSteps("name: s", "name: t, output: previous"),
    `5:47 output: previous is reserved ${reserved}`,
  ],
  [
    "a reserved input name",
    twoSteps("name: s", "name: t, input: {iteration: 1}"),
    `5:47 input: iteration is reserved ${reserved}`,
  ],
  [
    "an output named like another step",
    twoSteps("name: a-b", "name: t, output: a_b"),
    "5:47 output: a_b is the name of the step at line 4, column 36 (choose another name)",
  ],
  [
    "an output named like its own step",
    twoSteps("name: s", "name: a-b, output: a_b"),
    "5:49 output: a_b is the name of the step itself (its output is already there as {{.a_b.output}}; choose another name)",
  ],
  ["outputs that share a name", twoSteps("name: s, output: o", "name: t, output: o")],
  [
    "a merge's limit without verify",
    withStep("type: merge\n  timeout: 1m"),
    "6:3 timeout: belongs to the verify of a merge step, and there is none (add verify: COMMAND, or remove timeout)",
  ],
  [
    "on_changes outside a loop",
    withStep("type: merge\n  on_changes: continue"),
    "6:15 on_changes: continue stands outside a loop (move the step into a loop, or remove on_changes)",
  ],
  [
    "exit_loop outside a loop",
    twoSteps("name: s", "name: t, on_success: exit_loop"),
    "5:51 on_success: exit_loop stands outside a loop (move the step into a loop, or remove on_success)",
  ],
])("G1 steps together: %s", (_, text, ...problems) => {
  expect(problemsOf(text)).toEqual(problems);
});

test("G1 columns count characters", () => {
  expect(problemsOf("name: a\ndescription: b\nsteps: [{name: m, type: merge, when: '😀é', x: 1}]\n")).toEqual([
    `3:44 unknown key x (a merge step has ${mergeKeys})`,
  ]);
});

test("G1 at most 1,000 steps", () => {
  const withSteps = (count: number): string =>
    `name: a\ndescription: b\nsteps:\n${Array.from({ length: count }, (_, at) => `- {name: s${at}, type: merge}\n`).join("")}`;
  expect(problemsOf(withSteps(1000))).toEqual([]);
  expect(problemsOf(withSteps(1001))).toEqual(["1004:3 more than 1000 steps"]);
});

test("G1 at most eight loops in each other", () => {
  const nested = (depth: number): string =>
    depth === 0 ? "{name: m, type: merge}" : `{name: l${depth}, type: loop, steps: [${nested(depth - 1)}]}`;
  const withLoops = (depth: number): string => `name: a\ndescription: b\nsteps:\n- ${nested(depth)}\n`;
  expect(problemsOf(withLoops(8))).toEqual([]);
  expect(problemsOf(withLoops(9))).toEqual([
    expect.stringMatching(/^4:\d+ loops are nested too deeply: at most 8 levels$/),
  ]);
});

test("G1 limits on size and nesting, with aliases or without", () => {
  expect(problemsOf(`#${"x".repeat(1024 * 1024)}`)).toEqual(["1:1 the file is larger than 1 MiB"]);
  expect(problemsOf("[".repeat(20_000))).toEqual(["1:1 nested too deeply to be read"]);
  expect(problemsOf(withScript(`input: {a: ${"[".repeat(70)}${"]".repeat(70)}}`))).toEqual([
    "7:74 nested too deeply: at most 64 levels",
  ]);
  const letters = [..."bcdefgh"];
  const bomb = letters.map(
    (letter, at) =>
      `${letter}: &${letter} [${Array(10)
        .fill(`*${at === 0 ? "a" : letters[at - 1]}`)
        .join(", ")}]\n`,
  );
  expect(problemsOf(`a: &a [x, x, x, x, x, x, x, x, x, x]\n${bomb.join("")}`)).toEqual([
    expect.stringContaining("too large: more than 50000 values, counting what aliases repeat"),
  ]);
  const chain = Array.from({ length: 70 }, (_, at) => `    x${at + 1}: &x${at + 1} [*x${at}]\n`).join("");
  expect(problemsOf(withScript(`input:\n    x0: &x0 [1]\n${chain}`))[0]).toBe(
    "68:16 nested too deeply: at most 64 levels",
  );
});
