import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Checkout } from "../../checkout.ts";
import type { GitCalls } from "../../git-calls.ts";
import { isMerging, operationInProgress } from "../../operation-in-progress.ts";
import { linkedGitFolders, listCheckouts } from "../../worktrees/list-worktrees.ts";
import { branchRef, checkoutAt } from "../plumbing/ask.ts";
import type { MergePlace } from "../types.ts";
import { attempt } from "../../../../text/attempt.ts";

type Place = Pick<MergePlace, "root" | "commonDir">;

/** Where a branch can be landed on. */
export type BranchLocation =
  | { kind: "not_checked_out" }
  | { kind: "checked_out"; checkout: Checkout }
  /** Something is under way with it, and has to end first. */
  | { kind: "busy"; message: string };

export async function locateBranch(git: GitCalls, place: Place, branch: string): Promise<BranchLocation> {
  const busyReason = whyBusy(place, branch);
  if (busyReason !== undefined) return { kind: "busy", message: busyReason };
  const [checkout, secondCheckout] = await checkoutsOf(git, place, branch);
  if (checkout === undefined) return { kind: "not_checked_out" };
  if (secondCheckout !== undefined) {
    const folders = `${checkout.folder} and ${secondCheckout.folder}`;
    const message = `${branch} is checked out twice, in ${folders}: switch one of them to another branch`;
    return { kind: "busy", message };
  }
  const unfinished = isMerging(checkout.gitDir) ? "a merge" : operationInProgress(checkout.gitDir);
  if (unfinished === undefined) return { kind: "checked_out", checkout };
  return { kind: "busy", message: `${unfinished} is not finished in ${checkout.folder}: finish or abort it there` };
}

/** The checkouts that have the branch; one whose folder is gone is none. */
export async function checkoutsOf(git: GitCalls, { root, commonDir }: Place, branch: string): Promise<Checkout[]> {
  const checkouts: Checkout[] = [];
  for (const folder of new Set([root, ...(await linkedFolders(git, commonDir, branch))])) {
    if (!existsSync(join(folder, ".git"))) continue;
    const checkout = await checkoutAt(git, folder);
    if (checkout?.branch === branchRef(branch)) checkouts.push({ folder, gitDir: checkout.gitDir });
  }
  return checkouts;
}

/**
 * The linked worktrees that have the branch. The main checkout, which git lists first, is left out: git names its own folder
 * instead where that stands elsewhere (in submodules, behind a link, with --separate-git-dir).
 */
async function linkedFolders(git: GitCalls, commonDir: string, branch: string): Promise<string[]> {
  const [, ...linked] = await listCheckouts(git, {
    folder: commonDir,
    commonDir,
    flags: [`--git-dir=${commonDir}`],
  });
  return linked.filter((each) => each.branch === branch).map(({ folder }) => folder);
}

/** Why a branch must not move though no checkout has it: a rebase or bisect, in any of them, will come back to it. */
function whyBusy(place: Place, branch: string): string | undefined {
  for (const { folder, gitDir } of allGitDirs(place)) {
    const namesBranch = (file: string): boolean => linesOf(join(gitDir, file)).includes(branchRef(branch));
    const isRebased = ["rebase-merge/head-name", "rebase-apply/head-name", "rebase-merge/update-refs"].some(
      namesBranch,
    );
    if (isRebased) return `${branch} is being rebased in ${folder}: finish or abort it there`;
    const bisectStart = linesOf(join(gitDir, "BISECT_START"))[0]?.replace(/^refs\/heads\//, "");
    if (bisectStart !== branch) continue;
    return `a bisect that started on ${branch} is under way in ${folder}: git bisect reset there`;
  }
  return undefined;
}

function allGitDirs({ root, commonDir }: Place): Checkout[] {
  const linked = linkedGitFolders(commonDir).flatMap(({ gitFolder, recordedFolder: folder }) =>
    folder !== undefined && existsSync(folder) ? [{ folder, gitDir: gitFolder }] : [],
  );
  return [{ folder: root, gitDir: commonDir }, ...linked];
}

function linesOf(file: string): string[] {
  return attempt(() => readFileSync(file, "utf8").split("\n"), []);
}
