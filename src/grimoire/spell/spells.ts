import type { Place } from "../../contract/problem.ts";
import { nearest } from "../../text/nearest.ts";
import type { Budget } from "../template/budget.ts";
import { execute, type Branches, type Include } from "../template/execute.ts";
import { parseTemplate, type Template } from "../template/parse.ts";
import { textOf } from "../template/segment.ts";
import { TemplateError } from "../template/template-error.ts";
import type { Data } from "../template/unknown.ts";

/** A spell's file. `origin` and `file` are for people: where it comes from and how to find it. */
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

export interface RenderedSpell {
  text: string;
  /** The files of the partials that were included, each once, in the order of their first use. */
  partials: string[];
}

export interface RenderOptions {
  branches?: Branches;
  /** Told of the spell and of every partial, with the data each gets, before it is rendered. */
  onUse?: (spell: Spell, data: Data) => void;
}

interface Rendering extends RenderOptions {
  partials?: Set<string>;
  /** Of the spell that includes this one: all of them together have the limits of one. */
  budget?: Budget;
}

/** Partials may include others up to this depth. */
const maxDepth = 5;

/** Spells of one shelf. Each file is read and parsed once. */
export class Spells {
  readonly #shelf: SpellShelf;
  readonly #parsed = new Map<string, Spell>();

  constructor(shelf: SpellShelf) {
    this.#shelf = shelf;
  }

  /** The spell of that name; undefined when there is none. Throws a TemplateError when it cannot be parsed. */
  named(name: string): Spell | undefined {
    for (const fileName of name.endsWith(".md") ? [name] : [`${name}.md`, name]) {
      const known = this.#parsed.get(fileName);
      if (known) return known;
      const found = this.#shelf.spell(fileName);
      if (!found) continue;
      const spell = parseSpell(found);
      this.#parsed.set(fileName, spell);
      return spell;
    }
    return undefined;
  }

  /** How a name that is not there was most likely meant. */
  suggestion(name: string): string | undefined {
    const names = this.#shelf.spellNames();
    return nearest(name, name.endsWith(".md") ? names : names.map((each) => each.replace(/\.md$/, "")));
  }

  /** Throws a TemplateError; its `template` is the file it stands in. */
  render(spell: Spell, data: Data, options: RenderOptions = {}): RenderedSpell {
    const partials = new Set<string>();
    const text = this.#render(spell, data, [], { ...options, partials });
    return { text, partials: [...partials] };
  }

  /** `include` for a template that is no spell: a command, an input, a condition. */
  readonly include: Include = (name, data, place, budget) => this.#include(name, data, place, [], { budget });

  #render(spell: Spell, data: Data, above: Spell[], options: Rendering): string {
    const { branches, budget, onUse } = options;
    onUse?.(spell, data);
    const within = [...above, spell];
    const include: Include = (name, partialData, place, left) =>
      this.#include(name, partialData, place, within, { ...options, budget: left });
    return textOf(execute(spell.template, data, { include, ...(branches && { branches }), ...(budget && { budget }) }));
  }

  #include(name: string, data: Data, place: Place, within: Spell[], options: Rendering): string {
    const refuse = (message: string): never => {
      throw new TemplateError(within.at(-1)?.file ?? "", place.line, place.column, message);
    };
    const partial = this.named(name) ?? refuse(this.#missing(name));
    const first = within.findIndex(({ file }) => file === partial.file);
    if (first >= 0) {
      const circle = [...within.slice(first), partial].map(({ file }) => file);
      refuse(`partials include each other in a circle: ${circle.join(" → ")}`);
    }
    if (within.length > maxDepth) refuse(`partials are nested more than ${maxDepth} deep`);
    options.partials?.add(partial.file);
    return this.#render(partial, data, within, options);
  }

  #missing(name: string): string {
    const meant = this.suggestion(name);
    return `there is no partial ${JSON.stringify(name)}${meant === undefined ? "" : `; did you mean ${JSON.stringify(meant)}?`}`;
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
