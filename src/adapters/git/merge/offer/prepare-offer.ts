import { ClewError } from "../../../../contract/errors.ts";
import type { GitCalls } from "../../git-calls.ts";
import { computeMerge } from "./compute-merge.ts";
import { commitLeftovers } from "./commit-leftovers.ts";
import { setUpConflict } from "../conflict/set-up-conflict.ts";
import { refused, type MergePlace, type Prepared, type MergeMessages } from "../types.ts";

/** A conflict that is set up may turn out to be none; then the merge is computed anew. */
const maxRounds = 3;

/**
 * Commits what is left in the worktree and computes the merge into the target, without touching the target or any other
 * checkout. It can be repeated: after a crash, after a conflict was solved, after a head moved. Throws when git was ended.
 */
export async function prepareMerge(git: GitCalls, place: MergePlace, words: MergeMessages): Promise<Prepared> {
  try {
    for (let round = 0; round < maxRounds; round++) {
      const left = await commitLeftovers(git, place, words.commit);
      if (left) return left;
      const computed = await computeMerge(git, place, words);
      if (computed.kind !== "conflicts_with") return computed;
      const obstacle = await setUpConflict(git, place, computed.targetHead);
      if (obstacle) return obstacle;
    }
    return refused(
      `${place.target} cannot be merged into ${place.branch} by itself: git merge it in ${place.worktree}`,
    );
  } catch (error) {
    if (error instanceof ClewError && error.code === "not_possible_now") return refused(error.message);
    throw error;
  }
}
