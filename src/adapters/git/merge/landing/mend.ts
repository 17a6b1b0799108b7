import { existsSync } from "node:fs";
import type { Landing } from "../../../../contract/run.ts";
import type { GitCalls } from "../../git-calls.ts";
import { tipCommit } from "../plumbing/ask.ts";
import { checkoutsOf } from "./checkout-of.ts";
import { branchLock, checkoutLocks, removeStaleLocks } from "../plumbing/locks.ts";
import { refuseGitAtWork } from "./git-at-work.ts";
import { overlapWith } from "./overlap.ts";
import { changesOf, takeBack } from "./take-back.ts";
import type { MergePlace } from "../types.ts";
import { homeIn, paths } from "../../../layout.ts";

/**
 * Brings the target's checkout back to where it was, after a landing that was cut off; only when that git is known to be
 * dead. A person's changes stay. It can be cut off and repeated: it decides by what stands in the checkout. Returns the
 * copies of restored files that a person may have changed.
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
  // Git moves the ref last: when it has moved, all is done, or a person has gone on from there.
  if ((await tipCommit(git, commonDir, target)) !== from) return [];
  const changes = await changesOf(git, commonDir, landing);
  const backupFolder = paths.mended(homeIn(commonDir), to);
  const backups: string[] = [];
  for (const checkout of checkouts)
    backups.push(...(await takeBack(git, { checkout, landing, changes, backupFolder })));
  return backups;
}

/** Whether a landing that was cut off left something in the target's checkout. Reads only. */
export async function isHalfLanded(
  git: GitCalls,
  repository: Pick<MergePlace, "root" | "commonDir">,
  landing: Landing,
): Promise<boolean> {
  const { commonDir } = repository;
  const { target, from } = landing;
  if ((await tipCommit(git, commonDir, target)) !== from) return false;
  const changes = await changesOf(git, commonDir, landing);
  for (const { folder, gitDir } of await checkoutsOf(git, repository, target)) {
    if (checkoutLocks(gitDir).some((lock) => existsSync(lock))) return true;
    if ((await overlapWith(git, folder, changes)).length > 0) return true;
  }
  return false;
}
