import type { CodifyFormat } from "../../contract/codify-values.ts";
import type { Grimoire } from "../../contract/grimoire.ts";
import { writeGrimoire } from "../../grimoire/definition/write-grimoire.ts";
import { grimoireToMarkup } from "../../grimoire/markup/grimoire-to-markup.ts";
import type { Codified } from "../../learn/codify/codified.ts";
import { markupSteps } from "../../learn/codify/markup-steps.ts";
import type { SpellText } from "../../learn/codify/missing-names.ts";
import { skillName, skillText } from "../../learn/codify/skill.ts";

/** A codified workflow as the text of a file; what its form has no words for is left out, and `note` hears of it. */
export function writeCodified(
  codified: Codified,
  format: CodifyFormat,
  note: (text: string) => void,
  spellText: SpellText,
): string {
  switch (format) {
    case "grimoire":
      return writeGrimoire(codified.grimoire);
    case "skill":
      return skillText(codified, note);
    case "markup": {
      const steps = markupSteps(codified.grimoire.steps, { note, spellText });
      const { text, losses } = grimoireToMarkup({ ...codified.grimoire, steps }, codified.channels);
      for (const { step, message } of losses) note(step === undefined ? message : `${step}: ${message}`);
      return text;
    }
  }
}

/** What the grimoire or the skill is called. */
export function nameIn({ name }: Pick<Grimoire, "name">, format: CodifyFormat): string {
  return format === "skill" ? skillName(name) : name;
}
