import type { Json } from "../contract/grimoire.ts";
import type { MergeOffer, StepResult } from "../contract/run.ts";

/** What the preparing and the landing of a merge give, as results of steps: made here, and read here. */

/** `diff` is what a person reviews; without an offer there is nothing to merge. */
export function offered(offer: MergeOffer | null, diff: string): StepResult {
  return { success: true, output: diff, outputs: { offer: offer as Json } };
}

export function offerOf({ outputs }: StepResult): MergeOffer | null {
  return (outputs as { offer?: MergeOffer } | undefined)?.offer ?? null;
}

/** `markers` is what a person sees of it in the files. */
export function conflicted(error: string, files: string[], markers: string): StepResult {
  return { success: false, output: markers, outputs: { conflict: files }, error };
}

export function isConflict({ outputs }: StepResult): boolean {
  return typeof outputs === "object" && outputs !== null && "conflict" in outputs;
}

/** What was offered is not what is there any more. */
export function moved(error: string): StepResult {
  return { success: false, output: null, outputs: { moved: true }, error };
}

export function hasMoved({ outputs }: StepResult): boolean {
  return typeof outputs === "object" && outputs !== null && "moved" in outputs;
}
