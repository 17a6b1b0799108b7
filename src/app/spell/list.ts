import type { ListedSpell } from "../../contract/api/spell.ts";
import { parseSpell } from "../../grimoire/spell/spells.ts";
import { findReferences } from "../../grimoire/template/references.ts";
import { TemplateError } from "../../grimoire/template/template-error.ts";
import type { DefinitionFile, DefinitionFiles } from "../grimoire/ports.ts";

/** All spells, those of the repository over built-in ones of the same name. One that cannot be read hides no other. */
export function listSpells(files: Pick<DefinitionFiles, "spell" | "spellNames">): ListedSpell[] {
  return files.spellNames().flatMap((fileName) => {
    const file = files.spell(fileName);
    return file ? [listed(fileName.replace(/\.md$/, ""), file)] : [];
  });
}

function listed(name: string, definition: DefinitionFile): ListedSpell {
  const { origin, file, text, unreadable } = definition;
  const base = { name, origin, file, about: firstLine(text), arguments: [] };
  if (unreadable !== undefined) return { ...base, problem: unreadable };
  try {
    const required = new Map<string, boolean>();
    for (const { path, guarded } of findReferences(parseSpell(definition).template)) {
      const [first] = path;
      if (first !== undefined) required.set(first, !guarded || (required.get(first) ?? false));
    }
    return {
      ...base,
      arguments: [...required].map(([argument, isNeeded]) => ({ name: argument, required: isNeeded })),
    };
  } catch (error) {
    if (!(error instanceof TemplateError)) throw error;
    return { ...base, problem: `${error.line}:${error.column}: ${error.message}` };
  }
}

const maxAboutChars = 120;

function firstLine(text: string): string {
  const line = text.split("\n", 20).find((each) => each.trim() !== "") ?? "";
  const words = line.replace(/^#+ */, "").trim();
  return words.length <= maxAboutChars ? words : `${words.slice(0, maxAboutChars).toWellFormed()}…`;
}
