import { ClewError } from "../../../../contract/errors.ts";
import { diskFull } from "../../disk-full.ts";
import { splitFields } from "../../split-fields.ts";
import type { GitCalls, GitResult, GitOptions } from "../../git-calls.ts";

/** Asks git. Throws when git was ended before it could answer: no answer must not be taken for a "no". */
export async function ask(git: GitCalls, folder: string, args: string[], options?: GitOptions): Promise<GitResult> {
  return refuseInterrupted(await git.plain(folder, args, options));
}

/** The same, and throws unless git succeeded. */
export async function answerOf(git: GitCalls, folder: string, args: string[], options?: GitOptions): Promise<Buffer> {
  const result = await ask(git, folder, args, options);
  if (result.code === 0) return result.stdout;
  throw (
    diskFull(result, folder) ??
    new ClewError("not_possible_now", `git failed in ${folder}: ${result.stderr.trim()}`, "git status there tells more")
  );
}

/** Asks the repository itself, not one of its checkouts. */
export function askRepository(git: GitCalls, commonDir: string, args: string[]): Promise<GitResult> {
  return ask(git, commonDir, [`--git-dir=${commonDir}`, ...args]);
}

type Env = Pick<GitOptions, "env">;

/**
 * Runs git where programs of the user's may run. Git's own housekeeping stays out of it: it goes on in the background,
 * and would be ended half done. Throws when the disk is full.
 */
export async function runUserGit(git: GitCalls, folder: string, args: string[], options?: Env): Promise<GitResult> {
  const result = await runUnchecked(git, folder, args, options);
  const diskFullError = diskFull(result, folder);
  if (diskFullError) throw diskFullError;
  return result;
}

/** The same, but does not throw when the disk is full: for a caller that has to clean up first. */
export async function runUnchecked(git: GitCalls, folder: string, args: string[], options?: Env): Promise<GitResult> {
  return refuseInterrupted(await git.guarded(folder, ["-c", "maintenance.auto=false", ...args], options));
}

function refuseInterrupted(result: GitResult): GitResult {
  if (result.code !== -1) return result;
  const reason = result.stderr.trim();
  throw new ClewError(
    "interrupted",
    `git was ended before it was done${reason === "" ? "" : `: ${reason}`}`,
    "nothing is lost: the run can go on from here",
  );
}

export const branchRef = (branch: string): string => `refs/heads/${branch}`;

/** Where a branch stands. */
export interface Tip {
  commit: string;
  tree: string;
}

/** Where branches stand, by their short names; those that do not exist are missing. */
export async function tipsOf(git: GitCalls, commonDir: string, branches: string[]): Promise<Map<string, Tip>> {
  const command = [`--git-dir=${commonDir}`, "for-each-ref", "--format=%(objectname) %(tree) %(refname)"];
  const tips = new Map<string, Tip>();
  for (const line of splitFields(await answerOf(git, commonDir, [...command, ...branches.map(branchRef)]), "\n")) {
    const [commit = "", tree = "", ref = ""] = line.split(" ");
    tips.set(ref.slice(branchRef("").length), { commit, tree });
  }
  return tips;
}

/** The commit that a branch points to; undefined when there is no such branch. */
export async function tipCommit(git: GitCalls, commonDir: string, branch: string): Promise<string | undefined> {
  return (await tipsOf(git, commonDir, [branch])).get(branch)?.commit;
}

/** The object that git says it made; undefined when it made none. */
export function objectIdIn({ code, stdout }: GitResult): string | undefined {
  return code === 0 ? /^[0-9a-f]{40,64}$/m.exec(stdout.toString("latin1"))?.[0] : undefined;
}

/** Whether `commit` is part of the history of `tip`. */
export async function isAncestor(git: GitCalls, commonDir: string, commit: string, tip: string): Promise<boolean> {
  return (await askRepository(git, commonDir, ["merge-base", "--is-ancestor", commit, tip])).code === 0;
}

/** A checkout's own git folder, and the full name of its branch, or `HEAD` when it has none. */
export type CheckoutHead = Record<"gitDir" | "branch", string>;

export async function checkoutAt(git: GitCalls, folder: string): Promise<CheckoutHead | undefined> {
  const { code, stdout } = await ask(git, folder, ["rev-parse", "--absolute-git-dir", "--symbolic-full-name", "HEAD"]);
  const [, gitDir, branch] = /^([^]*)\n(.*)\n$/.exec(stdout.toString("utf8")) ?? [];
  return code === 0 && gitDir !== undefined && branch !== undefined ? { gitDir, branch } : undefined;
}

const maxOutputChars = 64 * 1024;

/** What git and the programs that it started printed: the end of it, where the reason stands. */
export function printedBy({ stdout, stderr }: GitResult): string {
  const output = `${stdout.toString("utf8")}${stderr}`.trim();
  return output.length > maxOutputChars ? `[…]\n${output.slice(-maxOutputChars)}` : output;
}
