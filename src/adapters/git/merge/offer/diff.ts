import type { MergeOffer } from "../../../../contract/merge-offer.ts";
import type { GitCalls } from "../../git-calls.ts";
import { answerOf, ask } from "../plumbing/ask.ts";
import type { MergePlace } from "../types.ts";

/** What goes into a journal and onto a page; `offeredDiff` has it whole. */
export const maxDiffBytes = 1024 * 1024;

/** The whole diff for a person, in the bytes that git prints; only of `paths`, if there are any. They are no patterns. */
export async function offeredDiff(
  git: GitCalls,
  { commonDir }: Pick<MergePlace, "commonDir">,
  { target_head, tree }: Pick<MergeOffer, "target_head" | "tree">,
  paths: string[] = [],
): Promise<Buffer> {
  return answerOf(git, commonDir, [...diffCommand(commonDir), target_head, tree, "--", ...paths]);
}

/** The diff as text, cut at the end of a line. */
export async function cutDiff(git: GitCalls, commonDir: string, targetHead: string, tree: string): Promise<string> {
  const command = [...diffCommand(commonDir), targetHead, tree, "--"];
  const { stdout, cut } = await ask(git, commonDir, command, { maxBytes: maxDiffBytes });
  if (!cut) return stdout.toString("utf8");
  const whole = stdout.subarray(0, stdout.lastIndexOf(0x0a) + 1).toString("utf8");
  return `${whole}[cut here: the diff is longer than ${maxDiffBytes} bytes]\n`;
}

/**
 * The repository is asked from outside every worktree, so that no `.gitattributes` of the branch under review can hide a
 * file's text or have a program of its choice show it.
 */
function diffCommand(commonDir: string): string[] {
  const flags = ["-r", "-M", "--no-ext-diff", "--no-textconv", "--ignore-submodules=none", "--patch"];
  return ["--literal-pathspecs", `--git-dir=${commonDir}`, "diff-tree", ...flags];
}
