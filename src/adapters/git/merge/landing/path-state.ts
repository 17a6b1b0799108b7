import { lstatSync, readdirSync, readFileSync, readlinkSync } from "node:fs";
import { createHash } from "node:crypto";
import { diskPath, parentPaths, type BytePath } from "../plumbing/paths.ts";
import { gitlinkMode, absentMode, type RawChange, type Side } from "../plumbing/raw-diff.ts";

/**
 * What stands at a path that a merge changes, when git was ended in the middle:
 * `before` – as it was; `git` – what git wrote, or took away; `begun` – a beginning of what git would write; `theirs` –
 * anything else: a person's.
 */
export type PathState = "before" | "git" | "begun" | "theirs";

/** The bytes that git would write for one side of a change, with filters and line ends; asked only when hashes do not tell. */
export type ExpectedContent = (side: "old" | "new", path: BytePath) => Buffer | undefined;

type PathContent = { kind: "missing" } | { kind: "folder"; isEmpty: boolean } | { kind: "content"; bytes: Buffer };

/** Undefined when only the bytes as git would write them can tell the state. */
export function stateByHash(folder: string, { path, old, new: after }: RawChange): PathState | undefined {
  const content = readPath(folder, path);
  if (content === "blocked") return old.mode === absentMode ? "before" : "theirs";
  if (content.kind === "missing") return old.mode === absentMode ? "before" : "git";
  if (content.kind === "folder") return stateOfFolder(content.isEmpty, old, after);
  if (isBlob(content.bytes, old)) return "before";
  return isBlob(content.bytes, after) ? "git" : undefined;
}

/** A file that git was writing is a beginning of what git would write. */
export function stateByContent(folder: string, { path }: RawChange, expectedContent: ExpectedContent): PathState {
  const content = readPath(folder, path);
  if (content === "blocked" || content.kind !== "content") return "theirs";
  const [before, after] = [expectedContent("old", path), expectedContent("new", path)];
  if (before?.equals(content.bytes)) return "before";
  if (after?.equals(content.bytes)) return "git";
  const isBeginningOf = (whole: Buffer | undefined): boolean =>
    whole?.subarray(0, content.bytes.length).equals(content.bytes) ?? false;
  return isBeginningOf(after) || isBeginningOf(before) ? "begun" : "theirs";
}

/** Submodules are folders that a merge only makes or takes away; a folder in place of a file was made for what goes below. */
function stateOfFolder(isEmpty: boolean, old: Side, after: Side): PathState {
  if (old.mode === gitlinkMode) return "before";
  if (after.mode === gitlinkMode && old.mode === absentMode) return isEmpty ? "git" : "theirs";
  if (old.mode === absentMode) return "before";
  return isEmpty ? "git" : "theirs";
}

function readPath(folder: string, path: BytePath): PathContent | "blocked" {
  for (const parent of parentPaths(path).toReversed()) {
    const stats = lstatSync(diskPath(folder, parent), { throwIfNoEntry: false });
    if (stats === undefined) return { kind: "missing" };
    // Through a link, or with a file in the place of a folder, nothing may be written or removed.
    if (!stats.isDirectory()) return "blocked";
  }
  const file = diskPath(folder, path);
  const stats = lstatSync(file, { throwIfNoEntry: false });
  if (stats === undefined) return { kind: "missing" };
  if (stats.isDirectory()) return { kind: "folder", isEmpty: readdirSync(file).length === 0 };
  if (stats.isSymbolicLink()) return { kind: "content", bytes: readlinkSync(file, "buffer") };
  return stats.isFile() ? { kind: "content", bytes: readFileSync(file) } : "blocked";
}

function isBlob(bytes: Buffer, { mode, id }: Side): boolean {
  if (mode === absentMode || mode === gitlinkMode) return false;
  const algorithm = id.length === 64 ? "sha256" : "sha1";
  return createHash(algorithm).update(`blob ${bytes.length}\0`).update(bytes).digest("hex") === id;
}
