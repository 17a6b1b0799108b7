import { existsSync } from "node:fs";
import type { Landing } from "../../../../contract/run.ts";
import type { GitCalls } from "../../git-calls.ts";
import { tipsOf } from "../plumbing/ask.ts";
import { checkoutsOf } from "./checkout-of.ts";
import { branchLock, checkoutLocks, removeStaleLocks } from "../plumbing/locks.ts";
import { refuseGitAtWork } from "./git-at-work.ts";
import { overlapWith } from "./overlap.ts";
import { changesOf, takeBack } from "./take-back.ts";
import type { MergePlace } from "../types.ts";
import { homeIn, paths } from "../../../layout.ts";

/**
 * Brings the target's checkout back to where it was, after a landing that was cut off; only for a git that is known to be
 * dead. What is a person's stays. It can itself be cut off and done again: every decision is taken from what is found.
 * Gives copies of files that were put back though a person might have made them what they were.
 */
export async function mendLanding(
  git: GitCalls,
  repository: Pick<MergePlace, "root" | "commonDir">,
  landing: Landing,
): Promise<string[]> {
  const { commonDir } = repository;
  const { target, from, to } = landing;
  const checkouts = await checkoutsOf(git, repository, target);
  for (const { folder } of checkouts) refuseGitAtWork(folder);
  const locks = checkouts.flatMap(({ gitDir }) => checkoutLocks(gitDir));
  await removeStaleLocks([...locks, branchLock(commonDir, target)]);
  // With the ref where it should be, all came before it; with the ref elsewhere, a person has gone on from there.
  if ((await tipsOf(git, commonDir, [target])).get(target)?.commit !== from) return [];
  const changes = await changesOf(git, commonDir, landing);
  const backupFolder = paths.mended(homeIn(commonDir), to);
  const backups: string[] = [];
  for (const checkout of checkouts)
    backups.push(...(await takeBack(git, { checkout, landing, changes, backupFolder })));
  return backups;
}

/** Whether a landing that was cut off left something in the target's checkout. Looks only. */
export async function isHalfLanded(
  git: GitCalls,
  repository: Pick<MergePlace, "root" | "commonDir">,
  landing: Landing,
): Promise<boolean> {
  const { commonDir } = repository;
  const { target, from } = landing;
  if ((await tipsOf(git, commonDir, [target])).get(target)?.commit !== from) return false;
  const changes = await changesOf(git, commonDir, landing);
  for (const { folder, gitDir } of await checkoutsOf(git, repository, target)) {
    if (checkoutLocks(gitDir).some((lock) => existsSync(lock))) return true;
    if ((await overlapWith(git, folder, changes)).length > 0) return true;
  }
  return false;
}
