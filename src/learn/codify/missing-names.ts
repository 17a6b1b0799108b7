import { allSteps, type Json, type Step } from "../../contract/grimoire.ts";
import { keepLines } from "./keep-lines.ts";

/** The names that steps set, as templates write them. */
export function namesSet(steps: Step[]): Set<string> {
  return new Set(
    [...allSteps(steps)].flatMap((step) => [
      step.name.replaceAll("-", "_"),
      ...("output" in step && step.output !== undefined ? [step.output] : []),
    ]),
  );
}

/** Takes away what asks for names that no step sets any more: lines of spells, inputs, conditions. `note` hears of each. */
export function withoutNames(steps: Step[], missing: ReadonlySet<string>, note: (text: string) => void): Step[] {
  if (missing.size === 0) return steps;
  const asks = (text: string): boolean =>
    actionsIn(text).some((action) => [...action.matchAll(firstName)].some(([, name]) => missing.has(name!)));
  const clean = (step: Step): Step => {
    const left = { ...step };
    if (typeof left.when === "string" && asks(left.when)) {
      note(`${step.name}: its condition asked for a step that is not here: ${left.when}`);
      delete left.when;
    }
    if (left.type === "loop") return { ...left, steps: left.steps.map(clean) };
    if (left.type === "merge") return left;
    const input = Object.entries(left.input).filter(([, value]) => !asks(JSON.stringify(value)));
    if (input.length < Object.keys(left.input).length) note(`${step.name}: an input asked for a step that is not here`);
    const inputs: Record<string, Json> = Object.fromEntries(input);
    if (left.type === "script") return { ...left, input: inputs };
    const lines = left.spell.split("\n");
    return { ...left, input: inputs, spell: keepLines(lines, (at) => !asks(lines[at]!)) };
  };
  return steps.map(clean);
}

/** The first name of a path such as `.plan.summary` or `$.plan.summary`: the others are its fields. */
const firstName = /(?<![\w)\]])\.([A-Za-z_]\w*)/g;

/** What stands between double braces. */
function actionsIn(text: string): string[] {
  const parts = text.split("{{").slice(1);
  return parts.flatMap((part) => (part.includes("}}") ? [part.slice(0, part.indexOf("}}"))] : []));
}
