import type { RenderedSpell } from "../../contract/api/spell.ts";
import { ClewError } from "../../contract/errors.ts";
import { parseSpell, Spells, type Spell } from "../../grimoire/spell/spells.ts";
import { TemplateError } from "../../grimoire/template/template-error.ts";
import type { Data } from "../../grimoire/template/unknown.ts";
import type { DefinitionFiles } from "../grimoire/ports.ts";

/** Renders a spell by itself, over any data, as a step would. `target` is the name of a spell or the path of a file. */
export function renderSpell(files: DefinitionFiles, target: string, data: Data): RenderedSpell {
  const spells = new Spells(files);
  try {
    const spell = findSpell(files, spells, target);
    return { file: spell.file, origin: spell.origin, ...spells.render(spell, data) };
  } catch (error) {
    if (!(error instanceof TemplateError)) throw error;
    const { template, line, column, message } = error;
    throw new ClewError(
      "invalid_template",
      `${template}:${line}:${column}: ${message}`,
      "clew spell render --help tells where the template language is described",
      { cause: error },
    );
  }
}

function findSpell(files: DefinitionFiles, spells: Spells, target: string): Spell {
  const asFile = (): Spell | undefined => {
    const file = files.atPath(target);
    return file && parseSpell(file);
  };
  const asName = (): Spell | undefined => (target.includes("/") ? undefined : spells.find(target));
  // With an extension it is a file first, without one a name.
  const spell = target.includes(".") ? (asFile() ?? asName()) : (asName() ?? asFile());
  if (spell) return spell;
  const suggestion = spells.suggestion(target);
  throw new ClewError(
    "unknown_spell",
    `there is no file and no spell ${target}`,
    suggestion === undefined ? "spells stand in .clew/spells/NAME.md" : `did you mean ${suggestion}?`,
  );
}
