import { expect, test } from "vitest";
import type { AgentStep, Step } from "../../contract/grimoire.ts";
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
