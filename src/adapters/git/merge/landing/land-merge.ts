import { existsSync } from "node:fs";
import { join } from "node:path";
import { ClewError } from "../../../../contract/errors.ts";
import type { MergeOffer } from "../../../../contract/merge-offer.ts";
import type { Checkout } from "../../checkout.ts";
import { diskFull } from "../../disk-full.ts";
import type { GitCalls } from "../../git-calls.ts";
import { branchRef, isAncestor, runUnchecked, tipCommit, printedBy } from "../plumbing/ask.ts";
import { locateBranch } from "./checkout-of.ts";
import { withoutMergeOptions } from "../plumbing/merge-options.ts";
import { overlapWith } from "./overlap.ts";
import { displayPath } from "../plumbing/paths.ts";
import { listFirst } from "../../../../text/list-first.ts";
import { changesOf, takeBack } from "./take-back.ts";
import { landingOf, type LandingResult, type MergePlace } from "../types.ts";
import { whatMoved } from "./what-moved.ts";
import { homeIn, paths } from "../../../layout.ts";

type Begin = () => Promise<void>;

/**
 * Brings an offered merge into its target. Success is where the target's ref points, whatever git says; anything else
 * leaves the target and its checkout as they were. Calls `onLanding`, and awaits it, right before the first thing that
 * changes them. Throws when git was ended in the middle, or could not undo what it had begun: that has to be mended.
 * Throws `disk_full` with everything as it was.
 */
export async function landMerge(
  git: GitCalls,
  place: MergePlace,
  offer: MergeOffer,
  { onLanding }: { onLanding: Begin },
): Promise<LandingResult> {
  let hasBegun = false;
  const begin = async (): Promise<void> => {
    hasBegun = true;
    await onLanding();
  };
  try {
    if (await isLanded(git, place, offer)) return { kind: "landed", commit: offer.commit };
    const movement = await whatMoved(git, place, offer);
    if (movement !== undefined) return { kind: "moved", message: movement };

    const location = await locateBranch(git, place, place.target);
    if (location.kind === "busy") return waitResult(location.message);
    if (location.kind === "not_checked_out") return await landOnRef(git, place, offer, begin);
    return await landInCheckout(git, place, offer, begin, location.checkout);
  } catch (error) {
    // Only what has changed nothing can simply be tried again.
    if (hasBegun || !(error instanceof ClewError && error.code === "not_possible_now")) throw error;
    return waitResult(error.message);
  }
}

async function landOnRef(git: GitCalls, place: MergePlace, offer: MergeOffer, begin: Begin): Promise<LandingResult> {
  const { worktree, commonDir, target, branch } = place;
  await begin();
  const update = ["update-ref", "-m", `clew: merge ${branch}`, branchRef(target), offer.commit, offer.target_head];
  const result = await runUnchecked(git, worktree, update);
  if (await isLanded(git, place, offer)) return { kind: "landed", commit: offer.commit };
  const diskFullError = diskFull(result, commonDir);
  if (diskFullError) throw diskFullError;
  return (await targetMoved(git, place, offer)) ?? waitResult(`git did not move ${target}: ${printedBy(result)}`);
}

async function landInCheckout(
  git: GitCalls,
  place: MergePlace,
  offer: MergeOffer,
  begin: Begin,
  checkout: Checkout,
): Promise<LandingResult> {
  const { commonDir, target } = place;
  const { folder, gitDir } = checkout;
  if (existsSync(join(gitDir, "index.lock"))) {
    return waitResult(`git is at work in ${folder}, or was ended there: ${join(gitDir, "index.lock")} is in the way`);
  }
  const landing = landingOf(offer);
  const changes = await changesOf(git, commonDir, landing);
  const overlap = async (): Promise<string[]> => (await overlapWith(git, folder, changes)).map(displayPath);
  const files = await overlap();
  if (files.length > 0) {
    return waitResult(
      `work in ${folder} is in the way of the merge: commit, stash or move ${listFirst(files, 5)}`,
      files,
    );
  }

  await begin();
  const { args, env } = withoutMergeOptions(target);
  const flags = ["--ff-only", "--no-overwrite-ignore", "--no-autostash", "--no-stat"];
  const result = await runUnchecked(git, folder, [...args, "merge", ...flags, offer.commit], { env });
  if (await isLanded(git, place, offer)) return { kind: "landed", commit: offer.commit };
  const movedResult = await targetMoved(git, place, offer);
  if (movedResult) return movedResult;
  const diskFullError = diskFull(result, folder);
  // A refused change of the ref comes last: index and files are changed by then. On a full disk there is no room for copies,
  // nor need: a moment ago nothing was in the way, so what is half there is git's.
  const backupFolder = diskFullError ? undefined : paths.mended(homeIn(commonDir), offer.commit);
  await takeBack(git, { checkout, landing, changes, backupFolder });
  if (diskFullError) throw diskFullError;
  return waitResult(`git did not merge in ${folder}: ${printedBy(result)}`, await overlap());
}

export async function isLanded(
  git: GitCalls,
  { commonDir, target }: Pick<MergePlace, "commonDir" | "target">,
  { commit }: MergeOffer,
): Promise<boolean> {
  return isAncestor(git, commonDir, commit, branchRef(target));
}

/** The result when another process moved the target meanwhile. */
async function targetMoved(
  git: GitCalls,
  { commonDir, target }: MergePlace,
  offer: MergeOffer,
): Promise<LandingResult | undefined> {
  const isUnmoved = (await tipCommit(git, commonDir, target)) === offer.target_head;
  return isUnmoved ? undefined : { kind: "moved", message: `${target} has moved meanwhile` };
}

const waitResult = (message: string, files: string[] = []): LandingResult => ({ kind: "waits", message, files });
