import { splitFields } from "../../split-fields.ts";
import type { GitCalls } from "../../git-calls.ts";
import { askRepository, runUserGit } from "../plumbing/ask.ts";
import type { MergePlace } from "../types.ts";

/** The ref that keeps an offered commit from being garbage-collected. */
export const offerRef = (runId: string): string => `refs/clew/offers/${runId}`;

/** Deletes the offer of a run, if there is one. */
export async function forgetOffer(
  git: GitCalls,
  { commonDir, runId }: Pick<MergePlace, "commonDir" | "runId">,
): Promise<void> {
  await runUserGit(git, commonDir, [`--git-dir=${commonDir}`, "update-ref", "-d", offerRef(runId)]);
}

/** The runs that have an offer. */
export async function offeringRuns(git: GitCalls, { commonDir }: Pick<MergePlace, "commonDir">): Promise<string[]> {
  const { stdout } = await askRepository(git, commonDir, ["for-each-ref", "--format=%(refname)", offerRef("")]);
  return splitFields(stdout, "\n").map((ref) => ref.slice(offerRef("").length));
}
