import { lstatSync, readdirSync, readFileSync, readlinkSync } from "node:fs";
import { createHash } from "node:crypto";
import { onDisk, parentsOf, type BytePath } from "../plumbing/paths.ts";
import { gitlink, nothing, type RawChange, type Side } from "../plumbing/raw-diff.ts";

/**
 * What stands at a path that a merge changes, when git was ended in the middle:
 * `before` – as it was; `git` – what git wrote, or took away; `begun` – a beginning of what git would write; `theirs` –
 * anything else: a person's.
 */
export type PathState = "before" | "git" | "begun" | "theirs";

/** The bytes that git would write for one side of a change, with filters and line ends; asked only when hashes do not tell. */
export type Written = (side: "old" | "new", path: BytePath) => Buffer | undefined;

type Found = { kind: "missing" } | { kind: "folder"; isEmpty: boolean } | { kind: "content"; bytes: Buffer };

/** Undefined when only the bytes as git would write them can tell. */
export function stateByHash(folder: string, { path, old, new: after }: RawChange): PathState | undefined {
  const found = look(folder, path);
  if (found === "blocked") return old.mode === nothing ? "before" : "theirs";
  if (found.kind === "missing") return old.mode === nothing ? "before" : "git";
  if (found.kind === "folder") return stateOfFolder(found.isEmpty, old, after);
  if (isBlob(found.bytes, old)) return "before";
  return isBlob(found.bytes, after) ? "git" : undefined;
}

/** A file that is being written is a beginning of what it will be. */
export function stateByContent(folder: string, { path }: RawChange, written: Written): PathState {
  const found = look(folder, path);
  if (found === "blocked" || found.kind !== "content") return "theirs";
  const [before, after] = [written("old", path), written("new", path)];
  if (before?.equals(found.bytes)) return "before";
  if (after?.equals(found.bytes)) return "git";
  const begins = (whole: Buffer | undefined): boolean =>
    whole?.subarray(0, found.bytes.length).equals(found.bytes) ?? false;
  return begins(after) || begins(before) ? "begun" : "theirs";
}

/** Submodules are folders that a merge only makes or takes away; a folder in place of a file was made for what goes below. */
function stateOfFolder(isEmpty: boolean, old: Side, after: Side): PathState {
  if (old.mode === gitlink) return "before";
  if (after.mode === gitlink && old.mode === nothing) return isEmpty ? "git" : "theirs";
  if (old.mode === nothing) return "before";
  return isEmpty ? "git" : "theirs";
}

function look(folder: string, path: BytePath): Found | "blocked" {
  for (const parent of parentsOf(path).toReversed()) {
    const stats = lstatSync(onDisk(folder, parent), { throwIfNoEntry: false });
    if (stats === undefined) return { kind: "missing" };
    // Through a link, or with a file in the place of a folder, nothing may be written or removed.
    if (!stats.isDirectory()) return "blocked";
  }
  const file = onDisk(folder, path);
  const stats = lstatSync(file, { throwIfNoEntry: false });
  if (stats === undefined) return { kind: "missing" };
  if (stats.isDirectory()) return { kind: "folder", isEmpty: readdirSync(file).length === 0 };
  if (stats.isSymbolicLink()) return { kind: "content", bytes: readlinkSync(file, "buffer") };
  return stats.isFile() ? { kind: "content", bytes: readFileSync(file) } : "blocked";
}

function isBlob(bytes: Buffer, { mode, id }: Side): boolean {
  if (mode === nothing || mode === gitlink) return false;
  const algorithm = id.length === 64 ? "sha256" : "sha1";
  return createHash(algorithm).update(`blob ${bytes.length}\0`).update(bytes).digest("hex") === id;
}
