import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { GitCalls } from "../git-calls.ts";
import { answerOf, branchRef, checkoutAt } from "./ask.ts";
import { isMerging, unfinishedIn } from "../unfinished.ts";

export interface Checkout {
  folder: string;
  gitDir: string;
}

/** Where a branch can be landed on. */
export type Whereabouts =
  | { kind: "not_checked_out" }
  | { kind: "checked_out"; checkout: Checkout }
  /** Something is under way with it, and has to end first. */
  | { kind: "busy"; message: string };

export async function whereIs(git: GitCalls, commonDir: string, branch: string): Promise<Whereabouts> {
  const held = heldBy(commonDir, branch);
  if (held !== undefined) return { kind: "busy", message: held };
  const [checkout, another] = await checkoutsOf(git, commonDir, branch);
  if (checkout === undefined) return { kind: "not_checked_out" };
  if (another !== undefined) {
    const folders = `${checkout.folder} and ${another.folder}`;
    return {
      kind: "busy",
      message: `${branch} is checked out twice, in ${folders}: switch one of them to another branch`,
    };
  }
  const unfinished = isMerging(checkout.gitDir) ? "a merge" : unfinishedIn(checkout.gitDir);
  if (unfinished === undefined) return { kind: "checked_out", checkout };
  return { kind: "busy", message: `${unfinished} is not finished in ${checkout.folder}: finish or abort it there` };
}

/** The checkouts that have the branch; one whose folder is gone is none. */
export async function checkoutsOf(git: GitCalls, commonDir: string, branch: string): Promise<Checkout[]> {
  const printed = await answerOf(git, commonDir, [`--git-dir=${commonDir}`, "worktree", "list", "--porcelain", "-z"]);
  const found: Checkout[] = [];
  for (const record of printed.toString("utf8").split("\0\0")) {
    const fields = record.split("\0");
    if (!fields.includes(`branch ${branchRef(branch)}`) || fields.includes("bare")) continue;
    const folder = fields.find((field) => field.startsWith("worktree "))?.slice("worktree ".length);
    if (folder === undefined || !existsSync(join(folder, ".git"))) continue;
    const at = await checkoutAt(git, folder);
    if (at !== undefined) found.push({ folder, gitDir: at.gitDir });
  }
  return found;
}

/** Why a branch must not move though nobody has it checked out: a rebase or bisect, anywhere, will come back to it. */
function heldBy(commonDir: string, branch: string): string | undefined {
  for (const { folder, gitDir } of allGitDirs(commonDir)) {
    const names = (file: string): boolean => firstLines(join(gitDir, file)).includes(branchRef(branch));
    if (names("rebase-merge/head-name") || names("rebase-apply/head-name") || names("rebase-merge/update-refs")) {
      return `${branch} is being rebased in ${folder}: finish or abort it there`;
    }
    const bisected = firstLines(join(gitDir, "BISECT_START"))[0]?.replace(/^refs\/heads\//, "");
    if (bisected === branch)
      return `a bisect that started on ${branch} is under way in ${folder}: git bisect reset there`;
  }
  return undefined;
}

function allGitDirs(commonDir: string): Checkout[] {
  const linked = join(commonDir, "worktrees");
  const names = existsSync(linked) ? readdirSync(linked) : [];
  const others = names
    .map((name) => join(linked, name))
    .map((gitDir) => ({ folder: dirname(firstLines(join(gitDir, "gitdir"))[0] ?? ""), gitDir }))
    .filter(({ folder }) => existsSync(folder));
  return [{ folder: dirname(commonDir), gitDir: commonDir }, ...others];
}

function firstLines(file: string): string[] {
  try {
    return readFileSync(file, "utf8").split("\n");
  } catch {
    return [];
  }
}
