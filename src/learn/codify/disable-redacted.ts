import type { Grimoire, Step } from "../../contract/grimoire.ts";
import { findMark } from "../../text/redaction-mark.ts";
import { withoutNames, type SpellText } from "./missing-names.ts";

/**
 * A step that does something with a secret that was redacted never runs: what stood there is not known. What an agent is told in
 * words may hold a mark. `note` hears of each, and of the steps that do not run for that.
 */
export function disableRedacted(grimoire: Grimoire, note: (text: string) => void, spellText?: SpellText): Grimoire {
  const disable = (step: Step): Step => {
    const { words } = partsOf(step);
    const mark = markDoneBy(step);
    if (mark !== undefined) {
      note(`${step.name} does not run: put what it needs in the place of ${mark}, and take its "when: false" away`);
      return { ...step, when: false };
    }
    const inWords = findMark(words)?.mark;
    if (inWords !== undefined) note(`${step.name}: its spell says ${inWords} where a secret stood`);
    return step.type === "loop" ? { ...step, steps: step.steps.map(disable) } : step;
  };
  return { ...grimoire, steps: withoutNames(grimoire.steps.map(disable), grimoire.steps, { note, spellText }) };
}

/** The mark of a secret that stood in what a step does; undefined where none did, or only its words to an agent have one. */
export function markDoneBy(step: Step): string | undefined {
  return findMark(JSON.stringify(partsOf(step).done))?.mark;
}

/** What a step tells an agent in words, and what it does itself. The steps of a loop speak for themselves. */
function partsOf(step: Step): { words: string; done: object } {
  if (step.type === "agent") {
    const { spell, ...done } = step;
    return { words: spell, done };
  }
  if (step.type !== "loop") return { words: "", done: step };
  const { steps: _, ...done } = step;
  return { words: "", done };
}
