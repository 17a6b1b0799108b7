import type { MergeStrategy } from "../../../contract/grimoire-values.ts";
import type { Landing } from "../../../contract/run.ts";
import type { MergeOffer } from "../../../contract/merge-offer.ts";

/** What is merged, and into what. */
export interface MergePlace {
  /** The run's worktree, on its own branch. */
  worktree: string;
  /** Short names of the run's branch and of the branch that it goes into. */
  branch: string;
  target: string;
  /** The commit that the run's work started from. */
  base: string;
  /** The main checkout, which git's own list of worktrees does not always name. */
  root: string;
  /** The git folder that all worktrees share. */
  commonDir: string;
  /** Files that were copied into the worktree (paths below it); they are never committed. */
  copied: string[];
  runId: string;
}

/** How a merge is made, and what its commits say. */
export interface MergeMessages {
  strategy: MergeStrategy;
  /** For what steps left uncommitted, and for all of it when it is squashed. */
  commit: string;
  merge: string;
}

export type PreparedMerge =
  | {
      kind: "offer";
      offer: MergeOffer;
      /** What changes in the target, for a person; cut at `maxDiffBytes`. */
      diff: string;
    }
  /** The branch brings nothing that the target does not have. */
  | { kind: "nothing" }
  | Conflict
  | MergeRefusal;

/** A conflict that is set up in the worktree, where a person can solve it. */
export interface Conflict {
  kind: "conflict";
  files: string[];
  /** What has to be decided: the hunks with their markers, and a line for each conflict that has none. */
  markers: string;
}

export interface MergeRefusal {
  kind: "refused";
  message: string;
  /** What git or a hook printed. */
  output: string;
}

export type LandingResult =
  | { kind: "landed"; commit: string }
  /** Something is not what was offered: it has to be offered anew. */
  | { kind: "moved"; message: string }
  /** Nothing was changed; it can be tried again when what is in the way is gone. */
  | { kind: "waits"; message: string; files: string[] };

export function landingOf({ target, target_head: from, commit: to }: MergeOffer): Landing {
  return { target, from, to };
}

export const refusedMerge = (message: string, output = ""): MergeRefusal => ({ kind: "refused", message, output });
