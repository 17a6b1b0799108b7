import { lstatSync, readdirSync, readlinkSync, realpathSync, type Dirent } from "node:fs";
import { dirname, join, resolve } from "node:path";

/** A file or link of the main checkout that a new worktree shall have, too. */
export interface Copy {
  /** Below the root. */
  path: string;
  kind: "file" | "link";
  bytes: number;
}

export interface FoundCopies {
  copies: Copy[];
  /** What a person should know: what was not there, and what cannot be copied. */
  remarks: string[];
}

/** Copies that are more than this were hardly meant. */
export const copyLimits = { files: 10_000, bytes: 1024 ** 3 };

/** What patterns (`*`, `?`, `**`) find below a root; folders with all that is in them. Never follows a link. */
export function findCopies(root: string, patterns: string[]): FoundCopies {
  const copies = new Map<string, Copy>();
  const remarks: string[] = [];
  for (const pattern of patterns) {
    const parts = pattern.split("/").filter((part, at, all) => part !== "**" || all[at - 1] !== "**");
    let isFound = false;
    for (const path of matches(root, "", parts)) {
      isFound = true;
      for (const found of filesAt(root, path)) {
        if ("remark" in found) remarks.push(found.remark);
        else copies.set(found.path, found);
        if (copies.size > copyLimits.files) return { copies: [...copies.values()], remarks };
      }
    }
    if (!isFound) remarks.push(`there is no ${pattern} to copy`);
  }
  return { copies: [...copies.values()], remarks: [...new Set(remarks)] };
}

function* matches(root: string, path: string, [part, ...rest]: string[]): Iterable<string> {
  if (part === undefined) {
    if (path === "" || lstatSync(join(root, path), { throwIfNoEntry: false })) yield path;
    return;
  }
  if (part !== "**" && !/[*?]/.test(part)) {
    const child = below(path, part);
    if (rest.length === 0 || isFolder(join(root, child))) yield* matches(root, child, rest);
    return;
  }
  if (part === "**") yield* matches(root, path, rest);
  if (part === "**" && rest.length === 0) return;
  const name = part === "**" ? undefined : nameMatcher(part);
  for (const each of entriesOf(root, path)) {
    const child = below(path, each.name);
    if (name === undefined) {
      if (each.isDirectory()) yield* matches(root, child, [part, ...rest]);
    } else if (name.test(each.name) && (rest.length === 0 || each.isDirectory())) yield* matches(root, child, rest);
  }
}

/** Also matches names that begin with a dot, as git's ignore rules do. */
function nameMatcher(pattern: string): RegExp {
  const source = pattern.replace(/[\\^$.*+?()[\]{}|]/g, (char) =>
    char === "*" ? ".*" : char === "?" ? "." : `\\${char}`,
  );
  return new RegExp(`^${source}$`, "su");
}

function* filesAt(root: string, path: string): Iterable<Copy | { remark: string }> {
  const stats = lstatSync(join(root, path), { throwIfNoEntry: false });
  if (stats?.isDirectory()) {
    for (const each of entriesOf(root, path)) yield* filesAt(root, below(path, each.name));
  } else if (stats?.isFile()) yield { path, kind: "file", bytes: stats.size };
  else if (stats?.isSymbolicLink()) {
    if (staysInside(root, path)) yield { path, kind: "link", bytes: 0 };
    else yield { remark: `${path} is a link out of the repository and was not copied` };
  } else yield { remark: `${path} is not a file and was not copied` };
}

/** Whether a link means something in the worktree as well, and nothing outside of it. */
function staysInside(root: string, path: string): boolean {
  const link = join(root, path);
  const target = readlinkSync(link);
  const lexical = resolve(dirname(link), target);
  const isInside = (place: string): boolean =>
    place.startsWith(`${root}/`) &&
    !place
      .slice(root.length + 1)
      .split("/")
      .some(isGits);
  if (target.startsWith("/") || !isInside(lexical)) return false;
  try {
    return isInside(realpathSync(link));
  } catch {
    // It leads nowhere, here as there.
    return true;
  }
}

function entriesOf(root: string, path: string): Dirent[] {
  return readdirSync(join(root, path), { withFileTypes: true }).filter(({ name }) => !isGits(name));
}

/** Git's own, and other worktrees. */
function isGits(name: string): boolean {
  return name === ".git" || name === ".worktrees";
}

function isFolder(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
}

function below(path: string, name: string): string {
  return path === "" ? name : `${path}/${name}`;
}
