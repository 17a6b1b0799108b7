import type { GitCalls } from "../../git-calls.ts";
import { askRepository, run } from "../plumbing/ask.ts";
import type { MergePlace } from "../types.ts";

/** Keeps an offered commit from being collected while it waits. */
export const offerRef = (runId: string): string => `refs/clew/offers/${runId}`;

/** Lets go of what was offered; without effect when nothing was. */
export async function forgetOffer(
  git: GitCalls,
  { commonDir, runId }: Pick<MergePlace, "commonDir" | "runId">,
): Promise<void> {
  await run(git, commonDir, [`--git-dir=${commonDir}`, "update-ref", "-d", offerRef(runId)]);
}

/** The runs that an offer is kept for. */
export async function offeringRuns(git: GitCalls, { commonDir }: Pick<MergePlace, "commonDir">): Promise<string[]> {
  const { stdout } = await askRepository(git, commonDir, ["for-each-ref", "--format=%(refname)", offerRef("")]);
  const refs = stdout
    .toString("utf8")
    .split("\n")
    .filter((ref) => ref !== "");
  return refs.map((ref) => ref.slice(offerRef("").length));
}
