import { gateText } from "../../contract/gate.ts";
import { allSteps, type Grimoire, type Json, type Step } from "../../contract/grimoire.ts";
import { includedNames } from "../template/included-names.ts";
import { parseTemplate, type Template } from "../template/parse.ts";
import { isInline, Spells, type SpellFile, type SpellShelf } from "./spells.ts";
import { trimEndOf } from "../../text/trim.ts";

/**
 * All spells and partials that a grimoire may ask for, by their file's name, so that editing them later does not change a
 * run. When only rendering can tell the name of a partial, all of them are pinned. Throws a TemplateError.
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
  const visited = new Set<string>();
  const pin = (name: string): void => {
    if (visited.has(name)) return;
    visited.add(name);
    const spell = spells.find(name);
    if (spell) pinIncluded(spell.template);
  };
  const pinIncluded = (template: Template): void => {
    for (const { name } of includedNames(template)) {
      if (name === undefined) for (const each of shelf.spellNames()) pin(each);
      else pin(name);
    }
  };
  for (const step of allSteps(grimoire.steps)) {
    if (step.type === "agent" && !isInline(step.spell)) pin(step.spell);
    for (const text of templatesOf(step)) if (text.includes("{{")) pinIncluded(parseTemplate("", text));
  }
  return pinned;
}

/** The texts of a step that are templates; a spell counts only when it is inline. */
export function* templatesOf(step: Step): Generator<string> {
  if (typeof step.when === "string") yield trimEndOf(step.when, "\n");
  if (step.type === "script") yield step.command;
  if (step.type === "merge" && step.verify !== undefined) yield step.verify;
  if (step.type === "agent" && isInline(step.spell)) yield step.spell;
  if (step.type === "agent") for (const gate of step.requires ?? []) yield gateText(gate);
  if ("input" in step) yield* textsIn(step.input);
}

function* textsIn(value: Json): Generator<string> {
  if (typeof value === "string") yield value;
  else if (typeof value === "object" && value !== null) for (const each of Object.values(value)) yield* textsIn(each);
}
