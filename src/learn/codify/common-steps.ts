import { allSteps, type AgentStep, type MergeStep, type Step } from "../../contract/grimoire.ts";
import { asLine } from "./as-line.ts";
import type { Codified } from "./codified.ts";
import { sameTitle } from "./draft-steps.ts";
import { gateText } from "./gate-text.ts";
import { keepLines } from "./keep-lines.ts";
import { withoutNames, type SpellText } from "./missing-names.ts";
import { templateParts } from "./template-parts.ts";

type Note = (text: string) => void;

/** What several sessions have in common: the longest sequence of steps that all of them did. Undefined without any. */
export function commonOf([first, ...others]: readonly Codified[], spellText?: SpellText): Codified | undefined {
  if (!first || others.length === 0) return first;
  let { steps } = first.grimoire;
  const found = new Set([first, ...others].flatMap((each) => each.notes));
  const note: Note = (text) => void found.add(text);
  for (const { grimoire } of others) steps = commonSteps(steps, grimoire.steps, note);
  // Every session ends in a merge: that alone is no way of working.
  if (steps.every(({ type }) => type === "merge")) return undefined;
  const kept = new Set(namesOf(steps));
  const missing = namesOf(first.grimoire.steps).filter((name) => !kept.has(name));
  if (missing.length > 0) note(`only some of the sessions have: ${missing.join(", ")}`);
  const grimoire = { ...first.grimoire, steps: withoutNames(steps, first.grimoire.steps, { note, spellText }) };
  return { ...first, grimoire, notes: [...found] };
}

function namesOf(steps: Step[]): string[] {
  return [...allSteps(steps)].map(({ name }) => name);
}

function commonSteps(a: readonly Step[], b: readonly Step[], note: Note): Step[] {
  return longestCommon(a, b, isSame).flatMap(([one, other]) => {
    const notes: string[] = [];
    const step = commonStep(one, other, (text) => notes.push(text));
    // Agents that are called alike and were told nothing alike did not do the same.
    if (step.type === "agent" && step.spell.trim() === "") return [];
    notes.forEach(note);
    return [step];
  });
}

/** Whether two steps do the same. */
function isSame(a: Step, b: Step): boolean {
  if (a.type === "script") return b.type === "script" && a.command === b.command;
  if (a.type === "merge") return b.type === "merge";
  if (a.type === "agent")
    return b.type === "agent" && roleOf(a) === roleOf(b) && (a.spell === b.spell || titleOf(a) === titleOf(b));
  if (b.type !== "loop") return false;
  return longestCommon(a.steps, b.steps, isSame).some(
    ([step]) => "on_success" in step && step.on_success === "exit_loop",
  );
}

/** An agent without its version. */
function roleOf({ agent }: AgentStep): string | undefined {
  return agent?.replace(/@[^@]*$/, "");
}

/** Of two steps that do the same, what both do. `note` hears of what only one does. */
function commonStep(a: Step, b: Step, note: Note): Step {
  if (a.type === "merge" && b.type === "merge") return strictestMerge(a, b, note);
  const lost = settings.filter((key) => isSet(a, key) !== isSet(b, key));
  for (const key of lost) note(`${a.name}: only some of the sessions have ${key}, which is left out`);
  noteDifferences(a, b, ["name", "steps", "max_iterations", "spell", "requires", ...lost], note);
  const common = Object.fromEntries(Object.entries(a).filter(([key]) => !lost.includes(key))) as typeof a;
  if (common.type === "agent" && b.type === "agent") return commonAgent(common, b, note);
  if (common.type !== "loop" || b.type !== "loop") return common;
  const steps = commonSteps(common.steps, b.steps, note);
  return { ...common, steps, max_iterations: Math.max(common.max_iterations, b.max_iterations) };
}

/** What a step may do without. */
const settings = ["when", "timeout_ms", "engine", "model", "detach"];

function isSet(step: Step, key: string): boolean {
  return (step as unknown as Record<string, unknown>)[key] !== undefined;
}

function noteDifferences(a: Step, b: Step, but: readonly string[], note: Note): void {
  const [one, other] = [a, b] as unknown as Record<string, unknown>[];
  const keys = new Set([...Object.keys(one!), ...Object.keys(other!)]);
  const differing = [...keys].filter((key) => !but.includes(key) && !isEqual(one![key], other![key]));
  if (differing.length > 0)
    note(`${a.name}: the sessions differ in ${differing.join(", ")}; here is what the first one has`);
}

function isEqual(a: unknown, b: unknown): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}

/** A review where one of them has it, or has a condition or a verification that the other has not; a verification where one has it. */
function strictestMerge(a: MergeStep, b: MergeStep, note: Note): MergeStep {
  const { name } = a;
  const taken = a.verify === undefined && b.verify !== undefined && asksOnlyForBead(b.verify) ? b : a;
  const { verify, shell, timeout_ms } = taken;
  const left = [a, b].filter((each) => each.verify !== undefined && each.verify !== verify);
  for (const each of left)
    note(`${name}: a session verifies with another command, which is left out: ${asLine(each.verify!, 200)}`);
  const isOtherwise = !isEqual(a.when, b.when);
  if (isOtherwise)
    note(`${name}: the sessions merge on different conditions; here is that of the first one, and a review`);
  if (a.require_review !== b.require_review) note(`${name}: only some of the sessions have a review; here it is`);
  noteDifferences(a, b, ["name", "verify", "shell", "timeout_ms", "when", "require_review"], note);
  const { verify: _, shell: __, timeout_ms: ___, ...rest } = a;
  return {
    ...rest,
    require_review: a.require_review || b.require_review || isOtherwise || left.length > 0,
    ...(verify !== undefined && { verify }),
    ...(shell !== undefined && { shell }),
    ...(timeout_ms !== undefined && { timeout_ms }),
  };
}

/** The steps of another session need not be called as those of the first one. */
function asksOnlyForBead(template: string): boolean {
  return templateParts(template).every(({ asked }) => asked.every(({ name }) => name === "bead"));
}

function commonAgent(a: AgentStep, b: AgentStep, note: Note): AgentStep {
  const [inA, inB] = [a, b].map(({ requires = [] }) => requires.map((gate) => JSON.stringify(gate))) as [
    string[],
    string[],
  ];
  const requires = (a.requires ?? []).filter((_, at) => inB.includes(inA[at]!));
  const left = [...(a.requires ?? []), ...(b.requires ?? [])].filter((gate) => {
    const text = JSON.stringify(gate);
    return !inA.includes(text) || !inB.includes(text);
  });
  for (const gate of left)
    note(`${a.name}: only some of the sessions have the gate, which is left out: ${asLine(gateText(gate), 200)}`);
  const { requires: _, ...rest } = a;
  return { ...rest, spell: commonSpell(a, b, note), ...(requires.length > 0 && { requires }) };
}

function titleOf({ name }: Step): string {
  return sameTitle(name.replaceAll("-", " "));
}

/** More pairs of lines are not compared. */
const mostPairs = 4_000_000;

/** The lines that both spells have, without heads that have lost all their lines. */
function commonSpell(a: AgentStep, b: AgentStep, note: Note): string {
  if (a.spell === b.spell) return a.spell;
  const [one, other] = [a.spell.split("\n"), b.spell.split("\n")];
  if (!a.spell.includes("\n") || one.length * other.length > mostPairs) {
    note(`${a.name}: the sessions differ in spell; here is what the first one has`);
    return a.spell;
  }
  note(`${a.name}: of its spell, only the lines that all sessions have are here`);
  const placed = (lines: string[]): { text: string; at: number }[] => lines.map((text, at) => ({ text, at }));
  const common = longestCommon(placed(one), placed(other), (left, right) => left.text === right.text);
  const kept = new Set(common.map(([{ at }]) => at));
  return keepLines(one, (at) => kept.has(at));
}

/** The longest sequence that both have, each member as it is in the one and in the other. */
function longestCommon<T>(a: readonly T[], b: readonly T[], same: (a: T, b: T) => boolean): [T, T][] {
  const width = b.length + 1;
  const lengths = new Uint32Array((a.length + 1) * width);
  const isPair = new Uint8Array(lengths.length);
  for (let i = a.length - 1; i >= 0; i--) {
    for (let j = b.length - 1; j >= 0; j--) {
      const at = i * width + j;
      if (same(a[i]!, b[j]!)) isPair[at] = 1;
      const through = isPair[at] ? lengths[at + width + 1]! + 1 : 0;
      lengths[at] = Math.max(through, lengths[at + width]!, lengths[at + 1]!);
    }
  }
  const found: [T, T][] = [];
  for (let i = 0, j = 0; i < a.length && j < b.length;) {
    const at = i * width + j;
    if (isPair[at] && lengths[at] === lengths[at + width + 1]! + 1) found.push([a[i++]!, b[j++]!]);
    else if (lengths[at + width]! >= lengths[at + 1]!) i++;
    else j++;
  }
  return found;
}
