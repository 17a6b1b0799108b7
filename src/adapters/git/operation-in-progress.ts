import { existsSync } from "node:fs";
import { join } from "node:path";

/** What git keeps in a checkout's git folder while something is under way there. */
const markerFiles = [
  ["rebase-merge", "a rebase"],
  ["rebase-apply", "a rebase"],
  ["CHERRY_PICK_HEAD", "a cherry-pick"],
  ["REVERT_HEAD", "a revert"],
  ["sequencer", "a cherry-pick or revert"],
  ["BISECT_START", "a bisect"],
] as const;

/** What is under way in a checkout, in words; a merge is told by `isMerging`. */
export function operationInProgress(gitDir: string): string | undefined {
  return markerFiles.find(([file]) => existsSync(join(gitDir, file)))?.[1];
}

export function isMerging(gitDir: string): boolean {
  return existsSync(join(gitDir, "MERGE_HEAD"));
}
