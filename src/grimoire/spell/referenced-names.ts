import { allSteps, type Grimoire } from "../../contract/grimoire.ts";
import { parseTemplate } from "../template/parse.ts";
import { analyzeReferences } from "../template/references.ts";
import { TemplateError } from "../template/template-error.ts";
import { templatesOf } from "./pin-spells.ts";
import type { SpellFile } from "./spells.ts";

/** The names that a grimoire's templates ask for, its spells' and partials' too; undefined when they may ask for any. */
export function referencedNames({ steps }: Grimoire, spells: Record<string, SpellFile>): Set<string> | undefined {
  const spellTexts = Object.values(spells).map(({ text }) => text);
  const texts = [...[...allSteps(steps)].flatMap((step) => [...templatesOf(step)]), ...spellTexts];
  const names = new Set<string>();
  for (const text of texts) {
    if (!text.includes("{{")) continue;
    try {
      const { references, usesAllData } = analyzeReferences(parseTemplate("", text));
      if (usesAllData) return undefined;
      for (const { path } of references) if (path[0] !== undefined) names.add(path[0]);
    } catch (error) {
      // A redaction may have cut it.
      if (error instanceof TemplateError) return undefined;
      throw error;
    }
  }
  return names;
}
