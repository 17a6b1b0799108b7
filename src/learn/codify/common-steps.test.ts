import { expect, test } from "vitest";
import type { AgentStep, MergeStep, Step } from "../../contract/grimoire.ts";
import type { Codified } from "./codified.ts";
import { commonOf } from "./common-steps.ts";

const agent = (name: string, spell: string): AgentStep => ({ name, type: "agent", spell, input: {}, on_fail: "block" });
const codified = (...steps: Step[]): Codified => ({
  grimoire: { name: "work", description: "Work", steps },
  channels: new Map(),
  notes: [],
});

/** The spell of the step that both sessions have. `more` is a step of the first one alone. */
function commonSpell(a: string, b: string, more: string): string {
  const common = commonOf([codified(agent(more, "# More\n"), agent("build", a)), codified(agent("build", b))]);
  expect(common!.grimoire.steps).toHaveLength(1);
  return (common!.grimoire.steps[0] as AgentStep).spell;
}

test("S13 a missing step takes away what asks for it, and no field of its name", () => {
  const spell = "# Build\n\nWhat earlier steps left:\n- plan (plan.md): {{.plan.summary}}\n\nFor {{.bead.title}}\n";
  expect(commonSpell(spell, spell, "summary")).toBe(spell);
  expect(commonSpell(spell, spell, "title")).toBe(spell);
  expect(commonSpell(spell, spell, "plan")).toBe("# Build\n\nFor {{.bead.title}}\n");
  const dollar = "# Build\n\n{{with .bead}}{{$.plan.summary}}{{end}}\n";
  expect(commonSpell(dollar, dollar, "plan")).toBe("# Build\n");
});

test("S13 a head stays as long as a line below it does", () => {
  const said = "The tests said:\n{{.test.output}}\n";
  const decided = (text: string): string => `# Build:\n\nWhat was decided:\n- ${text}\n\n- See this:\n\n${said}`;
  expect(commonSpell(decided("one"), decided("two"), "more")).toBe(`# Build:\n\n- See this:\n\n${said}`);
});

test("S13 what any of the sessions has and another has not is told, also within loops", () => {
  const script = (name: string, command: string): Step => ({
    name,
    type: "script",
    command,
    shell: "sh",
    input: {},
    on_fail: "block",
  });
  const loop = (...steps: Step[]): Step => ({
    name: "test-loop",
    type: "loop",
    max_iterations: 5,
    on_max_iterations: "block",
    steps: [{ ...script("test", "npm test"), on_success: "exit_loop" } as Step, ...steps],
  });
  const one = codified(agent("build", "# B\n"), script("lint", "npm run lint"), loop(agent("fix", "# Fix\n")));
  const two = codified(agent("build", "# B\n"), loop(agent("mend", "# Mend\n")), script("docs", "npm run docs"));
  expect(commonOf([one, two])!.notes).toEqual(["only some of the sessions have: lint, fix, mend, docs"]);
});

const merge = (fields: Partial<MergeStep>): MergeStep => ({
  name: "land",
  type: "merge",
  require_review: false,
  strategy: "merge",
  ...fields,
});
const build = agent("build", "# Build\n");

/** What two merges have in common, whichever comes first, and what is said of them. */
function commonMerge(a: Partial<MergeStep>, b: Partial<MergeStep>): { step: Step; notes: string[] } {
  const { grimoire, notes } = commonOf([codified(build, merge(a)), codified(build, merge(b))])!;
  return { step: grimoire.steps[1]!, notes };
}

test.each<[Partial<MergeStep>, Partial<MergeStep>]>([
  [{ require_review: true }, {}],
  [{}, { require_review: true }],
])("S13 of several merges, one has a review where any has it", (a, b) => {
  const { step, notes } = commonMerge(a, b);
  expect([step, notes]).toEqual([
    merge({ require_review: true }),
    ["land: only some of the sessions have a review; here it is"],
  ]);
});

test("S13 of several merges, one verifies where any does, and another command is told", () => {
  const tested = { verify: "npm test", shell: "bash", timeout_ms: 9000 } as const;
  expect(commonMerge({}, tested)).toEqual({ step: merge(tested), notes: [] });
  expect(commonMerge(tested, {})).toEqual({ step: merge(tested), notes: [] });
  expect(commonMerge(tested, { verify: "npm run lint" })).toEqual({
    step: merge({ ...tested, require_review: true }),
    notes: ["land: a session verifies with another command, which is left out: npm run lint"],
  });
  // A step of the other session has another name here, or none.
  expect(commonMerge({}, { verify: "test {{.look.output}} = x" })).toMatchObject({
    step: merge({ require_review: true }),
    notes: [expect.stringContaining("left out: test {{.look.output}} = x")],
  });
});

test("S13 of several merges, one without the condition of another has a review", () => {
  const { step, notes } = commonMerge({}, { when: "{{.bead.ready}}", strategy: "squash" });
  expect(step).toEqual(merge({ require_review: true }));
  expect(notes).toEqual([
    "land: the sessions merge on different conditions; here is that of the first one, and a review",
    "land: the sessions differ in strategy; here is what the first one has",
  ]);
});

test("S13 gates that only some sessions have are told", () => {
  const gate = (command: string) => ({ kind: "command", command, shell: "sh", expect: 0 }) as const;
  const gated = (...commands: string[]): Codified => codified({ ...build, requires: commands.map(gate) });
  const { grimoire, notes } = commonOf([gated("a", "b"), gated("b", "c")])!;
  expect(grimoire.steps).toEqual([{ ...build, requires: [gate("b")] }]);
  expect(notes).toEqual([
    "build: only some of the sessions have the gate, which is left out: a",
    "build: only some of the sessions have the gate, which is left out: c",
  ]);
});
