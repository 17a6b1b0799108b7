import { ClewError } from "../../../../contract/errors.ts";
import type { GitCalls } from "../../git-calls.ts";
import { computeMerge } from "./compute-merge.ts";
import { commitLeftovers } from "./commit-leftovers.ts";
import { setUpConflict } from "../conflict/set-up-conflict.ts";
import { refusedMerge, type MergePlace, type PreparedMerge, type MergeMessages } from "../types.ts";

/** When setting up a conflict merges cleanly, the merge is computed again: so many times. */
const maxRounds = 3;

/**
 * Commits what is left in the worktree and computes the merge into the target. Does not touch the target or any other
 * checkout. Can be repeated: after a crash, after a conflict was solved, after a head moved. Throws when git was ended.
 */
export async function prepareMerge(git: GitCalls, place: MergePlace, messages: MergeMessages): Promise<PreparedMerge> {
  try {
    for (let round = 0; round < maxRounds; round++) {
      const obstacle = await commitLeftovers(git, place, messages.commit);
      if (obstacle) return obstacle;
      const computed = await computeMerge(git, place, messages);
      if (computed.kind !== "conflicts_with") return computed;
      const conflictRefusal = await setUpConflict(git, place, computed.targetHead);
      if (conflictRefusal) return conflictRefusal;
    }
    const { worktree, branch, target } = place;
    return refusedMerge(`${target} cannot be merged into ${branch} by itself: git merge it in ${worktree}`);
  } catch (error) {
    if (error instanceof ClewError && error.code === "not_possible_now") return refusedMerge(error.message);
    throw error;
  }
}
