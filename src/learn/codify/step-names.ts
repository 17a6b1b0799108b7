import { reservedNames, templateName } from "../../contract/grimoire.ts";
import { slug } from "../../session/session-id.ts";

/** Names for steps, made of titles: each once, and none that a template knows already. */
export class StepNames {
  readonly #taken = new Set<string>(reservedNames);
  readonly #toAscii: (text: string) => string;

  constructor(toAscii: (text: string) => string) {
    this.#toAscii = toAscii;
  }

  name(title: string): string {
    const plain = nameOf(title, this.#toAscii, "step");
    let name = plain;
    for (let number = 2; this.#taken.has(templateName(name)); number++) name = `${plain}-${number}`;
    this.#taken.add(templateName(name));
    return name;
  }
}

/** The loops of a run that a step stands in: `quality-loop[2]/` of `quality-loop[2]/run-tests`. Any other slash is one of words. */
const roundsBefore = /^(?:[\w-]+\[\d{1,9}\]\/)+/;

/** A title as the name of a step, grimoire or skill: letters, digits and single hyphens, a letter first. */
export function nameOf(title: string, toAscii: (text: string) => string, otherwise: string): string {
  const name = slug(
    toAscii(
      title
        .slice(0, 400)
        .replace(roundsBefore, "")
        .replace(/\[\d{1,6}\]/g, ""),
    ),
    otherwise,
  )
    .slice(0, 50)
    .replace(/-$/, "");
  return /^[a-z]/.test(name) ? name : `${otherwise}-${name}`;
}
