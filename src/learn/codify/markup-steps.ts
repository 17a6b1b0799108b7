import type { Step } from "../../contract/grimoire.ts";
import { flattenLoops } from "../../grimoire/markup/flatten-loops.ts";
import type { ConversionLoss } from "../../grimoire/markup/conversion-loss.ts";
import { withoutNames, type SpellText } from "./missing-names.ts";

/** What only the inside of a loop has. */
const loopNames = ["iteration", "loop_entry"];

/**
 * The steps that markup has words for: those of loops run once, without gates and merges. What asks for something that is left
 * out is left out with it, and `note` hears of each, so that the workflow runs as it is.
 */
export function markupSteps(
  steps: Step[],
  { note, spellText }: { note: (text: string) => void; spellText: SpellText },
): Step[] {
  const losses: ConversionLoss[] = [];
  const flat = flattenLoops(steps, losses);
  const never = new Set(flat.flatMap(({ name, when }) => (when === false ? [name] : [])));
  const notes = losses.map(({ step, message }) => (step === undefined ? message : `${step}: ${message}`));
  const cleaned = withoutNames(flat, steps, {
    note: (text) => notes.push(text),
    spellText,
    alsoGone: loopNames,
    fate: "is left out",
  });
  const kept = cleaned.filter(({ name, when }) => when !== false || never.has(name));
  const leftOut = cleaned.filter((step) => !kept.includes(step));
  // What was changed in a step that is left out is of no interest.
  for (const text of notes) if (!leftOut.some(({ name }) => text.startsWith(`${name}: `))) note(text);
  return kept;
}
