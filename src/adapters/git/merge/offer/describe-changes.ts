import { maxOfferedFiles, type ChangedFile, type MergeOffer } from "../../../../contract/merge-offer.ts";
import { steersClew } from "../../../../contract/steers-clew.ts";
import type { GitCalls } from "../../git-calls.ts";
import { answerOf } from "../plumbing/ask.ts";
import { displayPath, type BytePath } from "../plumbing/paths.ts";
import { takeRaw } from "../plumbing/raw-diff.ts";

/** What a merge brings into its target, counted. */
export async function describeChanges(
  git: GitCalls,
  commonDir: string,
  targetHead: string,
  tree: string,
): Promise<Pick<MergeOffer, "files" | "totals" | "flagged">> {
  const args = ["diff-tree", "-r", "-z", "-M", "--raw", "--numstat", "--ignore-submodules=none", "--no-ext-diff"];
  const output = await answerOf(git, commonDir, [`--git-dir=${commonDir}`, ...args, targetHead, tree, "--"]);
  const { changes, rest } = takeRaw(output.toString("latin1").split("\0"));
  const lines = lineCounts(rest);
  const files = changes.map(({ path, from, status }): ChangedFile => {
    const { added = null, deleted = null } = lines.get(path) ?? {};
    const rename = from !== undefined && { from: displayPath(from) };
    return { path: displayPath(path), ...rename, change: changeOf(status), added, deleted };
  });
  const flagged = new Set(files.flatMap(({ path, from = "" }) => [from, path]).filter(steersClew));
  return {
    files: files.slice(0, maxOfferedFiles),
    totals: { files: files.length, added: sum(files, "added"), deleted: sum(files, "deleted") },
    flagged: [...flagged].slice(0, maxOfferedFiles),
  };
}

type LineCounts = Pick<ChangedFile, "added" | "deleted">;

/** `added TAB deleted TAB path`; a rename has an empty path there, and both names in fields of their own. */
function lineCounts(fields: string[]): Map<BytePath, LineCounts> {
  const counts = new Map<BytePath, LineCounts>();
  for (let at = 0; at < fields.length; at++) {
    const [added, deleted, ...name] = fields[at]!.split("\t");
    if (added === undefined || deleted === undefined) continue;
    const path = name.join("\t");
    counts.set(path === "" ? fields[(at += 2)]! : path, { added: count(added), deleted: count(deleted) });
  }
  return counts;
}

const count = (text: string): number | null => (text === "-" ? null : Number(text));

function sum(files: ChangedFile[], side: "added" | "deleted"): number {
  return files.reduce((total, file) => total + (file[side] ?? 0), 0);
}

function changeOf(status: string): ChangedFile["change"] {
  const changes: Record<string, ChangedFile["change"]> = { A: "added", D: "deleted", R: "renamed", T: "type" };
  return changes[status] ?? "modified";
}
