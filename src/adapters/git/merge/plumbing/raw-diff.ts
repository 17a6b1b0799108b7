import type { GitCalls } from "../../git-calls.ts";
import { answerOf } from "./ask.ts";
import type { BytePath } from "./paths.ts";

/** One side of a change: what stands at a path. */
export interface Side {
  /** `000000` when nothing does. */
  mode: string;
  id: string;
}

/** A line of git's raw diff. */
export interface RawChange {
  path: BytePath;
  /** Where it stood before it was renamed. */
  from?: BytePath;
  /** A, D, M, R, T, U. */
  status: string;
  old: Side;
  new: Side;
}

export const absentMode = "000000";
export const gitlinkMode = "160000";

/** Reads `--raw -z` from the front of the fields, and returns what follows it. */
export function takeRaw(fields: string[]): { changes: RawChange[]; rest: string[] } {
  const changes: RawChange[] = [];
  let at = 0;
  while (fields[at]?.startsWith(":")) {
    const [oldMode = "", newMode = "", oldId = "", newId = "", score = ""] = fields[at++]!.slice(1).split(" ");
    const status = score.slice(0, 1);
    const first = fields[at++] ?? "";
    const isRename = status === "R" || status === "C";
    changes.push({
      path: isRename ? (fields[at++] ?? "") : first,
      ...(isRename && { from: first }),
      status,
      old: { mode: oldMode, id: oldId },
      new: { mode: newMode, id: newId },
    });
  }
  return { changes, rest: fields.slice(at) };
}

/** Reads all of a `--raw -z` answer. */
export function readRaw(output: Buffer): RawChange[] {
  return takeRaw(output.toString("latin1").split("\0")).changes;
}

/** What the index of a checkout has differently from a commit. */
export async function stagedChanges(git: GitCalls, folder: string, commit: string): Promise<RawChange[]> {
  const command = ["diff-index", "--cached", "--raw", "-z", "--no-renames", "--ignore-submodules=none"];
  return readRaw(await answerOf(git, folder, [...command, commit, "--"]));
}

/** Puts the old sides of changes into the index of a checkout, in this order. */
export async function resetEntries(git: GitCalls, folder: string, changes: RawChange[]): Promise<void> {
  const lines = changes.map(({ path, old }) => `${old.mode === absentMode ? "0" : old.mode} ${old.id}\t${path}\0`);
  const stdin = Buffer.from(lines.join(""), "latin1");
  await answerOf(git, folder, ["update-index", "-z", "--index-info"], { stdin });
}
