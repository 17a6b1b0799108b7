import type { GitCalls } from "../git-calls.ts";
import { run } from "./ask.ts";
import type { MergePlace } from "./types.ts";

/** Keeps an offered commit from being collected while it waits. */
export const offerRef = (runId: string): string => `refs/clew/offers/${runId}`;

/** Lets go of what was offered; without effect when nothing was. */
export async function forgetOffer(
  git: GitCalls,
  { commonDir, runId }: Pick<MergePlace, "commonDir" | "runId">,
): Promise<void> {
  await run(git, commonDir, [`--git-dir=${commonDir}`, "update-ref", "-d", offerRef(runId)]);
}
