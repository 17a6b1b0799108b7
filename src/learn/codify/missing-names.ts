import {
  liveSteps,
  templateName,
  type AgentStep,
  type Json,
  type LoopStep,
  type Step,
} from "../../contract/grimoire.ts";
import { parseTemplate } from "../../grimoire/template/parse.ts";
import { isObject } from "../../text/is-object.ts";
import { keepLines } from "./keep-lines.ts";
import { asksFor, guardNames, partAsksFor, templateParts } from "./template-parts.ts";

/** The names that steps set, as templates write them. */
export function namesSet(steps: Iterable<Step>): Set<string> {
  return new Set(
    [...steps].flatMap((step) => [
      templateName(step.name),
      ...("output" in step && step.output !== undefined ? [step.output] : []),
    ]),
  );
}

/** The text of a spell that a step names; undefined when there is none. */
export type SpellText = (name: string) => string | undefined;

interface Surroundings {
  note: (text: string) => void;
  /** Where a spell asks for what is missing, its text without that stands in the step. Without this, no spell that is named is read. */
  spellText?: SpellText | undefined;
  /** Names that no step sets, and that are gone too. */
  alsoGone?: readonly string[];
  /** What becomes of a step that cannot do without a name, in words. */
  fate?: string;
}

/**
 * Steps of which some are gone or no longer run, compared with what they were. What asks for a name that no step sets any more is
 * taken out of spells and inputs. A condition, command, gate or verification that asks for one is never taken away, because its
 * step would do more than before: the step gets `when: false`, and so do those that ask for it in turn. `note` hears of each.
 */
export function withoutNames(steps: Step[], before: Step[], surroundings: Surroundings): Step[] {
  let left = steps;
  for (;;) {
    const cleaner = new Cleaner(left, before, surroundings);
    left = left.map((step) => cleaner.clean(step));
    if (!cleaner.hasDisabled) return left.map((step) => cleaner.guard(step));
  }
}

class Cleaner {
  hasDisabled = false;
  readonly #missing: ReadonlySet<string>;
  /** By step, the one whose result is `.previous` there. */
  readonly #previous: ReadonlyMap<string, string | undefined>;
  readonly #previousBefore: ReadonlyMap<string, string | undefined>;
  readonly #surroundings: Surroundings;

  constructor(steps: Step[], before: Step[], surroundings: Surroundings) {
    const kept = namesSet(liveSteps(steps));
    const gone = [...namesSet(liveSteps(before))].filter((name) => !kept.has(name));
    this.#missing = new Set([...gone, ...(surroundings.alsoGone ?? [])]);
    this.#previous = previousOf(steps);
    this.#previousBefore = previousOf(before);
    this.#surroundings = surroundings;
  }

  clean(step: Step): Step {
    if (step.when === false) return step;
    const missing = this.#missingFor(step);
    if (typeof step.when === "string" && asksFor(step.when, missing))
      return this.#disable(step, `its condition asks for a step that is not here: ${step.when}`);
    switch (step.type) {
      case "loop":
        return this.#cleanLoop(step);
      case "merge":
        return step.verify !== undefined && asksFor(step.verify, missing)
          ? this.#disable(step, "what it verifies with asks for a step that is not here")
          : step;
      case "script":
        return anyText(step, (text) => asksFor(text, missing))
          ? this.#disable(step, "its command asks for a step that is not here")
          : step;
      case "agent":
        return this.#cleanAgent(step, missing);
    }
  }

  /** What no longer runs may ask for what is not there. */
  guard(step: Step): Step {
    if (step.when !== false)
      return step.type === "loop" ? { ...step, steps: step.steps.map((each) => this.guard(each)) } : step;
    const missing = this.#missingFor(step);
    const readable = step.type === "agent" ? { ...step, spell: this.#readableSpell(step, missing) } : step;
    return mapTexts(readable as unknown as Json, (text, name) => {
      return name === "when" && asksFor(text, missing) ? false : guardNames(text, missing);
    }) as unknown as Step;
  }

  #cleanLoop(loop: LoopStep): Step {
    const steps = loop.steps.map((step) => this.clean(step));
    const isExit = (step: Step): boolean => "on_success" in step && step.on_success === "exit_loop";
    const exits = steps.filter(isExit);
    return exits.length > 0 && exits.every(({ when }) => when === false)
      ? this.#disable({ ...loop, steps }, "the step that ends it does not run")
      : { ...loop, steps };
  }

  #cleanAgent(step: AgentStep, missing: ReadonlySet<string>): Step {
    if (anyText(step.requires ?? [], (text) => asksFor(text, missing)))
      return this.#disable(step, "one of its gates asks for a step that is not here");
    const inputs = Object.entries(step.input);
    const kept = inputs.filter(([, value]) => !anyText(value, (text) => asksFor(text, missing)));
    const lost = inputs.flatMap(([name]) => (kept.some(([other]) => other === name) ? [] : [name]));
    if (lost.length > 0)
      this.#note(`${step.name}: inputs that ask for steps that are not here are left out: ${lost.join(", ")}`);
    const names = new Set([...missing, ...lost]);
    const before = this.#readableSpell(step, names);
    const spell = withoutLines(before, names);
    if (spell === undefined) return this.#disable(step, "its spell asks for a step that is not here");
    if (before !== step.spell) this.#note(`${step.name}: the text of the spell ${step.spell} stands in the step`);
    if (spell !== before) this.#note(`${step.name}: lines of its spell that ask for what is not here are left out`);
    return { ...step, input: Object.fromEntries(kept), spell };
  }

  /** The text of a spell that is named, where it asks for one of these names; else what stands in the step. */
  #readableSpell({ spell }: AgentStep, names: ReadonlySet<string>): string {
    const text = spell.includes("\n") ? undefined : this.#surroundings.spellText?.(spell);
    if (text === undefined || !asksFor(text, names)) return spell;
    return text.endsWith("\n") ? text : `${text}\n`;
  }

  #note(text: string): void {
    this.#surroundings.note(text);
  }

  #disable(step: Step, why: string): Step {
    this.#note(`${step.name} ${this.#surroundings.fate ?? "does not run"}: ${why}`);
    this.hasDisabled = true;
    return { ...step, when: false };
  }

  #missingFor({ name }: Step): ReadonlySet<string> {
    const isOther = this.#previous.get(name) !== this.#previousBefore.get(name);
    return isOther ? new Set([...this.#missing, "previous"]) : this.#missing;
  }
}

/** A step that runs comes behind the last one before it that does; the first one of a loop, behind the last one of the round before. */
function previousOf(steps: readonly Step[]): Map<string, string | undefined> {
  const found = new Map<string, string | undefined>();
  const walk = (list: readonly Step[], isLoop: boolean): void => {
    let previous = isLoop ? list.findLast(({ when }) => when !== false)?.name : undefined;
    for (const step of list) {
      found.set(step.name, previous);
      if (step.type === "loop") walk(step.steps, true);
      if (step.when !== false) previous = step.name;
    }
  };
  walk(steps, false);
  return found;
}

/** A spell without the lines, and the blocks of several lines, that ask for these names. Undefined when no spell is left. */
function withoutLines(spell: string, names: ReadonlySet<string>): string | undefined {
  const lines = spell.split("\n");
  const lineAt = lineFinder(lines);
  const parts = templateParts(spell).map((part) => ({ part, first: lineAt(part.start), last: lineAt(part.end - 1) }));
  const gone = new Set<number>();
  for (let size = -1; gone.size > size;) {
    size = gone.size;
    for (const { part, first, last } of parts) {
      // A block that loses one line loses all of them.
      if (!partAsksFor(part, names) && !isAnyBetween(gone, first, last)) continue;
      for (let line = first; line <= last; line++) gone.add(line);
    }
    for (const line of gone) if (goesOn(lines[line]!, lines[line + 1] ?? "")) gone.add(line + 1);
  }
  if (gone.size === 0) return spell;
  const left = keepLines(lines, (at) => !gone.has(at));
  return left.trim() === "" || !isTemplate(left) ? undefined : left;
}

/** Whether a sentence goes on in the next line: the rest of it says nothing alone. */
function goesOn(line: string, next: string): boolean {
  return /[\p{L}\p{N}`,]$/u.test(line) && /^ *[\p{Ll}`]/u.test(next);
}

function lineFinder(lines: readonly string[]): (offset: number) => number {
  const starts: number[] = [];
  let start = 0;
  for (const line of lines) {
    starts.push(start);
    start += line.length + 1;
  }
  return (offset) => starts.findLastIndex((each) => each <= offset);
}

function isAnyBetween(lines: ReadonlySet<number>, first: number, last: number): boolean {
  for (let line = first; line <= last; line++) if (lines.has(line)) return true;
  return false;
}

function isTemplate(text: string): boolean {
  try {
    parseTemplate("spell", text);
    return true;
  } catch {
    return false;
  }
}

function anyText(value: unknown, test: (text: string) => boolean): boolean {
  if (typeof value === "string") return test(value);
  return typeof value === "object" && value !== null && Object.values(value).some((each) => anyText(each, test));
}

function mapTexts(value: Json, change: (text: string, name: string) => Json, name = ""): Json {
  if (typeof value === "string") return change(value, name);
  if (Array.isArray(value)) return value.map((each) => mapTexts(each, change, name));
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, mapTexts(each, change, key)]));
}
