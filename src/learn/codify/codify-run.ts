import { allSteps, type Step } from "../../contract/grimoire.ts";
import type { PinnedRun } from "../../contract/pinned-run.ts";
import type { JournalLine } from "../../contract/run-journal.ts";
import type { Codified } from "./codified.ts";

/** A spell as it stands now, by its file's name; undefined when there is none. */
export type SpellNow = (file: string) => string | undefined;

/**
 * A run as a grimoire: what it was pinned to, and what its journal says was executed. Where every step was, that is the very
 * definition that ran. Undefined when the journal has no first line.
 */
export function codifyRun(lines: Iterable<JournalLine>, spellNow: SpellNow): Codified | undefined {
  let pinned: PinnedRun | undefined;
  let isCompleted = false;
  const executed = new Set<string>();
  const notes: string[] = [];
  for (const line of lines) {
    if (line.type === "workflow.started") pinned = line.pinned;
    else if (line.type === "workflow.step.started") executed.add(stepNameIn(line.path));
    else if (line.type === "workflow.completed") isCompleted = true;
    else if (line.type === "run.signal" && line.signal.kind === "retry" && Object.keys(line.signal.inputs).length > 0)
      notes.push(`a step was tried again with other inputs: ${Object.keys(line.signal.inputs).join(", ")}`);
  }
  if (!pinned) return undefined;
  const { grimoire, variables } = pinned;
  if (Object.keys(variables).length > 0)
    notes.push(`the run was given --var ${Object.keys(variables).join(", --var ")}`);
  const steps = isCompleted ? grimoire.steps : reachedSteps(grimoire.steps, executed);
  const names = (of: Step[]): string[] => [...allSteps(of)].map(({ name }) => name);
  const kept = names(steps);
  const leftOut = names(grimoire.steps).slice(kept.length);
  if (leftOut.length > 0) notes.push(`the run did not come so far, so they are left out: ${leftOut.join(", ")}`);
  const idle = kept.filter((name) => !executed.has(name));
  if (idle.length > 0) notes.push(`never executed in this run: ${idle.join(", ")}`);
  return {
    grimoire: { ...grimoire, steps: steps.map((step) => withSpell(step, pinned, spellNow, notes)) },
    channels: new Map(Object.entries(pinned.channels ?? {})),
    notes,
  };
}

/** `quality-loop[2]/run-tests` is the step `run-tests`. */
function stepNameIn(path: string): string {
  return path.slice(path.lastIndexOf("/") + 1).replace(/\[\d{1,9}\]$/, "");
}

/** The steps up to the last one that was executed. */
function reachedSteps(steps: Step[], executed: ReadonlySet<string>): Step[] {
  return steps.slice(0, steps.findLastIndex(({ name }) => executed.has(name)) + 1);
}

/** A spell that is gone is written into its step; one that says something else by now is named. */
function withSpell(step: Step, pinned: PinnedRun, spellNow: SpellNow, notes: string[]): Step {
  if (step.type === "loop")
    return { ...step, steps: step.steps.map((each) => withSpell(each, pinned, spellNow, notes)) };
  if (step.type !== "agent" || step.spell.includes("\n")) return step;
  const file = `${step.spell}.md`;
  const ran = pinned.spells[file]?.text;
  const now = spellNow(file);
  if (ran === undefined || now === ran) return step;
  if (now !== undefined) {
    notes.push(`the spell ${step.spell} has changed since the run`);
    return step;
  }
  notes.push(`the spell ${step.spell} is gone: the text that ran stands in ${step.name}`);
  return { ...step, spell: ran.endsWith("\n") ? ran : `${ran}\n` };
}
