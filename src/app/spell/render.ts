import type { RenderedSpell } from "../../contract/api/spell.ts";
import { ClewError } from "../../contract/errors.ts";
import { parseSpell, Spells as SpellRenderer, type Spell } from "../../grimoire/spell/spells.ts";
import { TemplateError } from "../../grimoire/template/template-error.ts";
import type { Data } from "../../grimoire/template/unknown.ts";
import type { DefinitionFiles } from "../grimoire/ports.ts";

/** Spells by themselves: rendered over any data, as a step would. */
export class Spells {
  readonly #files: DefinitionFiles;

  constructor(files: DefinitionFiles) {
    this.#files = files;
  }

  /** `target` is the name of a spell or the path of a file. */
  render(target: string, data: Data): RenderedSpell {
    const spells = new SpellRenderer(this.#files);
    try {
      const spell = this.#find(spells, target);
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

  #find(spells: SpellRenderer, target: string): Spell {
    const asFile = (): Spell | undefined => {
      const file = this.#files.named(target);
      return file && parseSpell(file);
    };
    const asName = (): Spell | undefined => (target.includes("/") ? undefined : spells.find(target));
    // What has an ending is a file first, what has none a name.
    const found = target.includes(".") ? (asFile() ?? asName()) : (asName() ?? asFile());
    if (found) return found;
    const meant = spells.suggestion(target);
    throw new ClewError(
      "unknown_spell",
      `there is no file and no spell ${target}`,
      meant === undefined ? "spells stand in .clew/spells/NAME.md" : `did you mean ${meant}?`,
    );
  }
}
