import type { GitCalls } from "../git-calls.ts";
import { tipsOf } from "./ask.ts";
import { checkoutsOf } from "./checkout-of.ts";
import { branchLock, checkoutLocks, removeStaleLocks } from "./locks.ts";
import { changesOf, takeBack, type Commits } from "./take-back.ts";
import type { MergePlace } from "./types.ts";

/**
 * Brings the target's checkout back to where it was, after a landing that was cut off; only for a git that is known to be
 * dead. What is a person's stays. It can itself be cut off and done again: every decision is taken from what is found.
 */
export async function mendLanding(
  git: GitCalls,
  { commonDir, target }: Pick<MergePlace, "commonDir" | "target">,
  offer: Commits,
): Promise<void> {
  const checkouts = await checkoutsOf(git, commonDir, target);
  const locks = checkouts.flatMap(({ gitDir }) => checkoutLocks(gitDir));
  await removeStaleLocks([...locks, branchLock(commonDir, target)]);
  // With the ref where it should be, all came before it; with the ref elsewhere, a person has gone on from there.
  if ((await tipsOf(git, commonDir, [target])).get(target)?.commit !== offer.target_head) return;
  const changes = await changesOf(git, commonDir, offer);
  for (const checkout of checkouts) await takeBack(git, checkout, offer, changes);
}
