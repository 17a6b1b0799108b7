import type { Grimoire, Step } from "../../contract/grimoire.ts";
import { findMark } from "../../text/redaction-mark.ts";
import { namesSet, withoutNames } from "./missing-names.ts";

/**
 * A step that does something with a secret that was redacted never runs: what stood there is not known. What an agent is told in
 * words may hold a mark. `note` hears of each.
 */
export function disableRedacted(grimoire: Grimoire, note: (text: string) => void): Grimoire {
  const disabled: Step[] = [];
  const disable = (step: Step): Step => {
    if (step.type === "loop") return { ...step, steps: step.steps.map(disable) };
    const { spell, ...rest } = step.type === "agent" ? step : { ...step, spell: "" };
    const mark = findMark(JSON.stringify(rest))?.mark;
    if (mark === undefined) {
      const inSpell = findMark(spell)?.mark;
      if (inSpell !== undefined) note(`${step.name}: its spell says ${inSpell} where a secret stood`);
      return step;
    }
    note(`${step.name} does not run: put what it needs in the place of ${mark}, and take its "when: false" away`);
    disabled.push(step);
    return { ...step, when: false };
  };
  const steps = grimoire.steps.map(disable);
  return { ...grimoire, steps: withoutNames(steps, namesSet(disabled), () => undefined) };
}
