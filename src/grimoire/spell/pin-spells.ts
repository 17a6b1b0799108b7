import { allSteps, type Grimoire, type Json, type Step } from "../../contract/grimoire.ts";
import { includedNames } from "../template/included-names.ts";
import { parseTemplate, type Template } from "../template/parse.ts";
import { isInline, Spells, type SpellFile, type SpellShelf } from "./spells.ts";
import { trimEndOf } from "../../text/trim.ts";

/**
 * All spells and partials that a grimoire may ask for, by their file's name, so that editing them later does not change a
 * run. A partial whose name only rendering can tell takes all of them along. Throws a TemplateError.
 */
export function pinSpells(grimoire: Grimoire, shelf: SpellShelf): Record<string, SpellFile> {
  const pinned: Record<string, SpellFile> = {};
  const spells = new Spells({
    spell(name) {
      const file = shelf.spell(name);
      if (file) pinned[name] = { origin: file.origin, file: file.file, text: file.text };
      return file;
    },
    spellNames: () => shelf.spellNames(),
  });
  const seen = new Set<string>();
  const take = (name: string): void => {
    if (seen.has(name)) return;
    seen.add(name);
    const spell = spells.named(name);
    if (spell) follow(spell.template);
  };
  const follow = (template: Template): void => {
    for (const { name } of includedNames(template)) {
      if (name === undefined) for (const each of shelf.spellNames()) take(each);
      else take(name);
    }
  };
  for (const step of allSteps(grimoire.steps)) {
    if (step.type === "agent" && !isInline(step.spell)) take(step.spell);
    for (const text of templatesOf(step)) if (text.includes("{{")) follow(parseTemplate("", text));
  }
  return pinned;
}

/** The texts of a step that are templates, but for a spell that it only names. */
export function* templatesOf(step: Step): Generator<string> {
  if (typeof step.when === "string") yield trimEndOf(step.when, "\n");
  if (step.type === "script") yield step.command;
  if (step.type === "agent" && isInline(step.spell)) yield step.spell;
  if ("input" in step) yield* textsIn(step.input);
}

function* textsIn(value: Json): Generator<string> {
  if (typeof value === "string") yield value;
  else if (typeof value === "object" && value !== null) for (const each of Object.values(value)) yield* textsIn(each);
}
