import type { Json } from "../contract/json.ts";
import { allSteps, type Grimoire } from "../contract/grimoire.ts";
import type { RunSnapshot } from "../contract/run-snapshot.ts";
import type { StepResult } from "../contract/run.ts";
import type { MergeOffer } from "../contract/merge-offer.ts";

/** What the preparing and the landing of a merge give, as results of steps: made here, and read here. */

/** `diff` is what a person reviews; without an offer there is nothing to merge. */
export function offerResult(offer: MergeOffer | null, diff: string): StepResult {
  return { success: true, output: diff, outputs: { offer: offer as Json } };
}

export function offerOf({ outputs }: StepResult): MergeOffer | null {
  return (outputs as { offer?: MergeOffer } | undefined)?.offer ?? null;
}

/** The commit as which the work of a run landed last; undefined while none has. */
export function mergedCommit({ steps }: Pick<Grimoire, "steps">, results: RunSnapshot["steps"]): string | undefined {
  const merges = [...allSteps(steps)].filter(({ type }) => type === "merge");
  const outputs = merges.flatMap(({ name }) => {
    const result = Object.hasOwn(results, name) ? results[name]! : undefined;
    return result?.status === "succeeded" ? [result.output] : [];
  });
  return outputs.findLast((output) => typeof output === "string" && /^[0-9a-f]{40,64}$/.test(output)) as
    | string
    | undefined;
}

/** `markers` is what a person sees of it in the files. */
export function conflictResult(error: string, files: string[], markers: string): StepResult {
  return { success: false, output: markers, outputs: { conflict: files }, error };
}

export function isConflict(result: StepResult): boolean {
  return hasOutput(result, "conflict");
}

/** What was offered is not what is there any more. */
export function movedResult(error: string): StepResult {
  return { success: false, output: null, outputs: { moved: true }, error };
}

export function hasMoved(result: StepResult): boolean {
  return hasOutput(result, "moved");
}

/** A person wants something else: the step has failed, and the words are its output. */
export function changesResult(text: string): StepResult {
  return { success: false, output: text, outputs: { changes: true }, error: "changes were asked for" };
}

export function asksForChanges(result: Pick<StepResult, "outputs">): boolean {
  return hasOutput(result, "changes");
}

function hasOutput({ outputs }: Pick<StepResult, "outputs">, name: string): boolean {
  return typeof outputs === "object" && outputs !== null && name in outputs;
}
