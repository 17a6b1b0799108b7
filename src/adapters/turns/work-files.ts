import { constants, lstatSync, readdirSync, type BigIntStats } from "node:fs";
import { join, sep } from "node:path";
import type { FileState, WorkFiles } from "../../app/turn/execution/ports.ts";
import { ClewError } from "../../contract/errors.ts";
import { attempt } from "../../text/attempt.ts";
import { trimEndOf } from "../../text/trim.ts";
import { describeKind, readAll, withRegular } from "../files/regular-file.ts";
import { sha256Of } from "../layout/file-names.ts";

/** Longer files are neither shown nor changed. */
const maxBytes = 64 * 1024 * 1024;
const maxPathBytes = 4_096;
const maxNameBytes = 255;

export interface WorkPlace {
  /** The main checkout. */
  root: string;
  /** Folders and files below the root that are the program's own, with why nothing is written there. */
  reserved: { path: string; reason: string }[];
}

/** The files of a checkout. Every look goes to the disk. */
export function workFiles(place: WorkPlace): WorkFiles {
  return {
    look: (path) => look(place, path),
    folderProblem(path) {
      if (path === "" || path === ".") return undefined;
      const problem = formProblem(place, path);
      if (problem !== undefined) return problem;
      const found = walk(place.root, path.split("/"));
      if (found.problem !== undefined) return found.problem;
      if (found.missing) return "is not there";
      return lstatSync(found.path).isDirectory() ? undefined : "is no folder";
    },
    newFileMode: 0o666 & ~process.umask(),
  };
}

function look(place: WorkPlace, path: string): FileState {
  const problem = formProblem(place, path);
  if (problem !== undefined) return refused(problem);
  try {
    const found = walk(place.root, path.split("/"));
    if (found.problem !== undefined) return refused(found.problem);
    return found.missing ? { kind: "missing" } : readFile(found.path);
  } catch (error) {
    if (error instanceof ClewError) return refused(error.message);
    throw error;
  }
}

function refused(reason: string): FileState {
  return { kind: "refused", reason };
}

/** What is wrong with a path before anything is looked at. */
function formProblem({ reserved }: WorkPlace, path: string): string | undefined {
  if (path === "" || path.includes("\0") || Buffer.byteLength(path) > maxPathBytes) return "is no path of a file";
  const names = path.split("/");
  if (path.startsWith("/") || path.includes(sep === "\\" ? "\\" : "\0") || names.includes(".."))
    return "leads out of the repository";
  if (names.some((name) => name === "" || name === ".")) return "is no path of a file";
  if (names.some((name) => Buffer.byteLength(name) > maxNameBytes)) return "has a name that is too long";
  if (names.some(isGitFolder)) return "stands in git's own folder";
  const folded = fold(path);
  return reserved.find((each) => folded === fold(each.path) || folded.startsWith(`${fold(each.path)}/`))?.reason;
}

/** Some disks take `.GIT`, `.git.` or `git~1` for the same folder. */
function isGitFolder(name: string): boolean {
  const visible = name.replace(/[\u200c-\u200f\u202a-\u202e\u206a-\u206f\ufeff]/g, "");
  return /^(?:\.git|git~\d)$/i.test(trimEndOf(visible, ". "));
}

/** Names that some disks take for the same. */
function fold(name: string): string {
  return name.normalize("NFC").toLowerCase();
}

/** Follows a path name by name. No link is followed, and each name has to stand there as it is written. */
function walk(root: string, names: string[]): { path: string; missing: boolean; problem?: string } {
  let at = root;
  for (const [index, name] of names.entries()) {
    const folder = at;
    at = join(folder, name);
    const isLast = index === names.length - 1;
    const written = names.slice(0, index + 1).join("/");
    const stats = attempt(() => lstatSync(at, { throwIfNoEntry: false }), undefined);
    const other = otherName(folder, name, stats !== undefined);
    if (other !== undefined)
      return {
        path: at,
        missing: true,
        problem: `differs only in case from ${names.slice(0, index).concat(other).join("/")}, which is there`,
      };
    if (!stats) return { path: at, missing: true };
    if (stats.isSymbolicLink())
      return {
        path: at,
        missing: false,
        problem: isLast
          ? "is a link, and no link is followed"
          : `leads through the link ${written}, and no link is followed`,
      };
    if (!isLast && !stats.isDirectory())
      return { path: at, missing: false, problem: `cannot be: ${written} is a file, not a folder` };
  }
  return { path: at, missing: false };
}

/** A name in the folder that some disks take for this one; undefined when there is none, or when the name itself is there. */
function otherName(folder: string, name: string, isThere: boolean): string | undefined {
  // Where the name has no letters, and is there, it can be no other.
  if (isThere && fold(name) === name && fold(name.toUpperCase()) === name && name.toUpperCase() === name)
    return undefined;
  const names = attempt(() => readdirSync(folder), [] as string[]);
  if (names.includes(name)) return undefined;
  const folded = fold(name);
  return names.find((each) => fold(each) === folded);
}

function readFile(path: string): FileState {
  const stats = lstatSync(path, { bigint: true });
  if (!stats.isFile()) return refused(`is ${describeKind(stats)}, not a file`);
  return withRegular(path, constants.O_RDONLY | constants.O_NOFOLLOW, 0, (fd, opened: BigIntStats) => {
    const bytes = readAll(fd, opened, path, maxBytes);
    return { kind: "file", bytes, sha256: sha256Of(bytes), mode: Number(opened.mode & 0o7777n) };
  });
}
