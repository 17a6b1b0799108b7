import * as z from "zod/mini";
import { mergeStrategies } from "./grimoire-values.ts";

const address = { path: z.string(), attempt: z.int() };

const changedFile = z.object({
  path: z.string(),
  /** Where it stood before it was renamed. */
  from: z.exactOptional(z.string()),
  change: z.enum(["added", "deleted", "modified", "renamed", "type"]),
  /** Lines; null for what is not text. */
  added: z.nullable(z.int()),
  deleted: z.nullable(z.int()),
});
export type ChangedFile = z.infer<typeof changedFile>;

/** A command that succeeded on a tree: the merge's own `verify`, a step that ran the same, or what an agent's gates were passed by. */
const proof = z.object({
  ...address,
  by: z.enum(["verify", "step", "evidence"]),
  command: z.string(),
  /** The last line that it printed, which often tells how much was tested. */
  said: z.string(),
  /** Of the evidence: `clew evidence show ID`. */
  id: z.exactOptional(z.string()),
});
export type Proof = z.infer<typeof proof>;

export const maxOfferedFiles = 500;

/** What a merge would bring into its target. An approval is bound to all of it: if a part moved, it is asked for again. */
export const mergeOffer = z.object({
  /** The branch that is merged into. */
  target: z.string(),
  /** The commit of the run's own branch, and that of the target, when this was computed. */
  head: z.string(),
  target_head: z.string(),
  /** The merged tree, and the commit that holds it and waits to be landed. */
  tree: z.string(),
  commit: z.string(),
  /** What changes in the target; at most `maxOfferedFiles`, the totals count all. */
  files: z.array(changedFile),
  totals: z.object({ files: z.int(), added: z.int(), deleted: z.int() }),
  /** Changed paths below `.beads/` and `.clew/`, which steer Clew itself. */
  flagged: z.array(z.string()),
  /** Absent in journals of before there was a choice: a merge of target and head. */
  strategy: z.exactOptional(z.enum(mergeStrategies)),
  /** The parents of the commit. */
  parents: z.exactOptional(z.array(z.string())),
  /** The commands that succeeded on this very tree; absent before any was tried. */
  proven: z.exactOptional(z.array(proof)),
});
export type MergeOffer = z.infer<typeof mergeOffer>;
