import { allSteps, type AgentStep, type Step } from "../../contract/grimoire.ts";
import type { Codified } from "./codified.ts";
import { sameTitle } from "./draft-steps.ts";
import { keepLines } from "./keep-lines.ts";
import { withoutNames } from "./missing-names.ts";

/** What several sessions have in common: the longest sequence of steps that all of them did. Undefined without any. */
export function commonOf([first, ...others]: readonly Codified[]): Codified | undefined {
  if (!first || others.length === 0) return first;
  let { steps } = first.grimoire;
  for (const { grimoire } of others) steps = commonSteps(steps, grimoire.steps);
  // Every session ends in a merge: that alone is no way of working.
  if (steps.every(({ type }) => type === "merge")) return undefined;
  const notes = [...new Set([first, ...others].flatMap((each) => each.notes))];
  const kept = namesOf(steps);
  const missing = namesOf(first.grimoire.steps).filter((name) => !kept.includes(name));
  if (missing.length > 0) notes.push(`only some of the sessions have: ${missing.join(", ")}`);
  return {
    ...first,
    grimoire: { ...first.grimoire, steps: withoutNames(steps, first.grimoire.steps, (text) => notes.push(text)) },
    notes,
  };
}

function namesOf(steps: Step[]): string[] {
  return [...allSteps(steps)].map(({ name }) => name);
}

function commonSteps(a: readonly Step[], b: readonly Step[]): Step[] {
  return longestCommon(a, b, commonStep);
}

/** The step that two steps both do; undefined when they do different things. */
function commonStep(a: Step, b: Step): Step | undefined {
  if (a.type === "script") return b.type === "script" && a.command === b.command ? a : undefined;
  if (a.type === "merge") return b.type === "merge" ? a : undefined;
  if (a.type === "agent") return b.type === "agent" ? commonAgent(a, b) : undefined;
  if (b.type !== "loop") return undefined;
  const steps = commonSteps(a.steps, b.steps);
  const isLeft = steps.some((step) => "on_success" in step && step.on_success === "exit_loop");
  return isLeft ? { ...a, steps, max_iterations: Math.max(a.max_iterations, b.max_iterations) } : undefined;
}

function commonAgent(a: AgentStep, b: AgentStep): AgentStep | undefined {
  if (a.agent !== b.agent || (a.spell !== b.spell && titleOf(a) !== titleOf(b))) return undefined;
  const inB = new Set((b.requires ?? []).map((gate) => JSON.stringify(gate)));
  const requires = (a.requires ?? []).filter((gate) => inB.has(JSON.stringify(gate)));
  const { requires: _, ...rest } = a;
  const spell = a.spell === b.spell || !a.spell.includes("\n") ? a.spell : commonLines(a.spell, b.spell);
  return { ...rest, spell, ...(requires.length > 0 && { requires }) };
}

function titleOf({ name }: Step): string {
  return sameTitle(name.replaceAll("-", " "));
}

/** The lines that both have, without heads that have lost all their lines. */
function commonLines(a: string, b: string): string {
  const placed = (spell: string): { text: string; at: number }[] => spell.split("\n").map((text, at) => ({ text, at }));
  const common = longestCommon(placed(a), placed(b), (left, right) => (left.text === right.text ? left : undefined));
  const kept = new Set(common.map(({ at }) => at));
  return keepLines(a.split("\n"), (at) => kept.has(at));
}

/** The longest sequence that both have; `join` gives what two of its members have in common. */
function longestCommon<T extends object>(a: readonly T[], b: readonly T[], join: (a: T, b: T) => T | undefined): T[] {
  const width = b.length + 1;
  const lengths = new Uint32Array((a.length + 1) * width);
  const joined = new Map<number, T>();
  for (let i = a.length - 1; i >= 0; i--) {
    for (let j = b.length - 1; j >= 0; j--) {
      const at = i * width + j;
      const both = join(a[i]!, b[j]!);
      if (both !== undefined) joined.set(at, both);
      const through = both === undefined ? 0 : lengths[at + width + 1]! + 1;
      lengths[at] = Math.max(through, lengths[at + width]!, lengths[at + 1]!);
    }
  }
  const found: T[] = [];
  for (let i = 0, j = 0; i < a.length && j < b.length;) {
    const at = i * width + j;
    const both = joined.get(at);
    if (both !== undefined && lengths[at] === lengths[at + width + 1]! + 1) {
      found.push(both);
      i++;
      j++;
    } else if (lengths[at + width]! >= lengths[at + 1]!) i++;
    else j++;
  }
  return found;
}
