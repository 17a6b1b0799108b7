import { lstatSync, readdirSync, readlinkSync, realpathSync, type Dirent } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { rootPaths } from "../../layout.ts";
import { matchesPattern } from "./matches-pattern.ts";
import { attempt } from "../../../text/attempt.ts";

/** A file or link of the main checkout that a new worktree shall have, too. */
export interface Copy {
  /** Below the root. */
  path: string;
  kind: "file" | "link";
  bytes: number;
}

export interface FilesToCopy {
  copies: Copy[];
  /** For a person: what is missing, and what cannot be copied. */
  remarks: string[];
}

/** More than this was hardly intended. */
export const copyLimits = { files: 10_000, bytes: 1024 ** 3 };

/** What patterns (`*`, `?`, `**`) find below a root; folders with all that is in them. Never follows a link. */
export function findCopies(root: string, patterns: string[]): FilesToCopy {
  const copies = new Map<string, Copy>();
  const remarks: string[] = [];
  for (const pattern of patterns) {
    const parts = pattern.split("/").filter((part, at, all) => part !== "**" || all[at - 1] !== "**");
    let hasMatch = false;
    for (const path of matches(root, "", parts, new Set())) {
      hasMatch = true;
      for (const file of filesAt(root, path)) {
        if ("remark" in file) remarks.push(file.remark);
        else copies.set(file.path, file);
        if (copies.size > copyLimits.files) return { copies: [...copies.values()], remarks };
      }
    }
    if (!hasMatch) remarks.push(`there is no ${pattern} to copy`);
  }
  return { copies: [...copies.values()], remarks: [...new Set(remarks)] };
}

/** `visited`: where each rest of the pattern was tried; two `**` lead to the same folder in many ways. */
function* matches(root: string, path: string, parts: string[], visited: Set<string>): Iterable<string> {
  const [part, ...rest] = parts;
  const place = `${parts.length} ${path}`;
  if (visited.has(place)) return;
  visited.add(place);
  if (part === undefined) {
    if (path === "" || lstatSync(join(root, path), { throwIfNoEntry: false })) yield path;
    return;
  }
  if (part !== "**" && !/[*?]/.test(part)) {
    const child = childPath(path, part);
    if (rest.length === 0 || isFolder(join(root, child))) yield* matches(root, child, rest, visited);
    return;
  }
  if (part === "**") yield* matches(root, path, rest, visited);
  if (part === "**" && rest.length === 0) return;
  for (const entry of entriesOf(root, path)) {
    const child = childPath(path, entry.name);
    if (part === "**") {
      if (entry.isDirectory()) yield* matches(root, child, parts, visited);
    } else if (matchesPattern(part, entry.name) && (rest.length === 0 || entry.isDirectory()))
      yield* matches(root, child, rest, visited);
  }
}

function* filesAt(root: string, path: string): Iterable<Copy | { remark: string }> {
  const stats = lstatSync(join(root, path), { throwIfNoEntry: false });
  if (stats?.isDirectory()) {
    for (const entry of entriesOf(root, path)) yield* filesAt(root, childPath(path, entry.name));
  } else if (stats?.isFile()) yield { path, kind: "file", bytes: stats.size };
  else if (stats?.isSymbolicLink()) {
    if (staysInside(root, path)) yield { path, kind: "link", bytes: 0 };
    else yield { remark: `${path} is a link out of the repository and was not copied` };
  } else yield { remark: `${path} is not a file and was not copied` };
}

/** Whether a link leads to the same thing in the worktree, and not out of it. */
function staysInside(root: string, path: string): boolean {
  const link = join(root, path);
  const target = readlinkSync(link);
  const lexical = resolve(dirname(link), target);
  const isInside = (place: string): boolean =>
    place.startsWith(`${root}/`) && !relative(root, place).split("/").some(isExcluded);
  if (target.startsWith("/") || !isInside(lexical)) return false;
  // A dead link is dead in the worktree, too.
  return attempt(() => isInside(realpathSync(link)), true);
}

function entriesOf(root: string, path: string): Dirent[] {
  return readdirSync(join(root, path), { withFileTypes: true }).filter(({ name }) => !isExcluded(name));
}

/** Git's own folder, and worktrees. */
function isExcluded(name: string): boolean {
  return name === ".git" || name === rootPaths.worktrees("");
}

function isFolder(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
}

function childPath(path: string, name: string): string {
  return path === "" ? name : `${path}/${name}`;
}
