import type { Place } from "../../contract/problem.ts";
import { nearest } from "../../text/nearest.ts";
import type { RenderBudget } from "../template/budget.ts";
import { execute, type Include } from "../template/execute.ts";
import { parseTemplate, type Template } from "../template/parse.ts";
import { segmentsText } from "../template/segment.ts";
import { TemplateError } from "../template/template-error.ts";
import type { Data } from "../template/unknown.ts";

/** A spell's file. `origin` and `file` tell a person where it comes from and how to find it. */
export interface SpellFile {
  origin: string;
  file: string;
  text: string;
  /** Why the file could not be read; its text is then empty. */
  unreadable?: string;
}

/** Finds spells and partials by their file's name, those of the repository over built-in ones. */
export interface SpellShelf {
  spell(name: string): SpellFile | undefined;
  spellNames(): string[];
}

export interface Spell extends SpellFile {
  template: Template;
}

interface RenderOptions {
  /** Called for the spell and for every partial, with the data each gets, before it is rendered. */
  onUse?: ((spell: Spell, data: Data) => void) | undefined;
  /** Collects the files of the partials that are included. */
  partials?: Set<string>;
  /** Of the spell that includes this one: all of them together have the limits of one. */
  budget?: RenderBudget;
}

/** Partials may include others up to this depth. */
const maxDepth = 5;

/** The spells of one shelf. Each file is read and parsed once. */
export class Spells {
  readonly #shelf: SpellShelf;
  readonly #parsed = new Map<string, Spell>();

  constructor(shelf: SpellShelf) {
    this.#shelf = shelf;
  }

  /** The spell of that name; undefined when there is none. Throws a TemplateError when it cannot be parsed. */
  find(name: string): Spell | undefined {
    for (const fileName of name.endsWith(".md") ? [name] : [`${name}.md`, name]) {
      const cached = this.#parsed.get(fileName);
      if (cached) return cached;
      const file = this.#shelf.spell(fileName);
      if (!file) continue;
      const spell = parseSpell(file);
      this.#parsed.set(fileName, spell);
      return spell;
    }
    return undefined;
  }

  /** The existing name that is most like one that does not exist. */
  suggestion(name: string): string | undefined {
    const names = this.#shelf.spellNames();
    return nearest(name, name.endsWith(".md") ? names : names.map((each) => each.replace(/\.md$/, "")));
  }

  /**
   * The text, and the files of the partials that were included, each once, in the order of their first use. Throws a
   * TemplateError; its `template` is the file it stands in.
   */
  render(spell: Spell, data: Data, onUse?: RenderOptions["onUse"]): { text: string; partials: string[] } {
    const partials = new Set<string>();
    const text = this.#render(spell, data, [], { onUse, partials });
    return { text, partials: [...partials] };
  }

  /** `include` for a template that is no spell: a command, an input, a condition. */
  readonly include: Include = (name, data, place, budget) => this.#include(name, data, place, [], { budget });

  #render(spell: Spell, data: Data, includers: Spell[], options: RenderOptions): string {
    const { budget, onUse } = options;
    onUse?.(spell, data);
    const chain = [...includers, spell];
    const include: Include = (name, partialData, place, remainingBudget) =>
      this.#include(name, partialData, place, chain, { ...options, budget: remainingBudget });
    return segmentsText(execute(spell.template, data, { include, ...(budget && { budget }) }));
  }

  #include(name: string, data: Data, place: Place, includers: Spell[], options: RenderOptions): string {
    const refuse = (message: string): never => {
      throw new TemplateError(includers.at(-1)?.file ?? "", place.line, place.column, message);
    };
    const partial = this.find(name) ?? refuse(this.#missingMessage(name));
    const first = includers.findIndex(({ file }) => file === partial.file);
    if (first >= 0) {
      const circle = [...includers.slice(first), partial].map(({ file }) => file);
      refuse(`partials include each other in a circle: ${circle.join(" → ")}`);
    }
    if (includers.length > maxDepth) refuse(`partials are nested more than ${maxDepth} deep`);
    options.partials?.add(partial.file);
    return this.#render(partial, data, includers, options);
  }

  #missingMessage(name: string): string {
    const suggestion = this.suggestion(name);
    const hint = suggestion === undefined ? "" : `; did you mean ${JSON.stringify(suggestion)}?`;
    return `there is no partial ${JSON.stringify(name)}${hint}`;
  }
}

export function parseSpell(file: SpellFile): Spell {
  if (file.unreadable !== undefined) throw new TemplateError(file.file, 1, 1, file.unreadable);
  return { ...file, template: parseTemplate(file.file, file.text) };
}

/** A step's spell stands in the grimoire itself when it has lines; else it is a name. */
export function isInline(spell: string): boolean {
  return spell.includes("\n");
}
