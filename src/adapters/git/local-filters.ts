import { readdirSync } from "node:fs";
import { homedir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { readConfigFile } from "./config-file.ts";

/** More includes than these are a circle, or meant to keep somebody busy. */
const mostFiles = 500;

/**
 * The settings `filter.NAME.…` that the repository's own files make: of all its checkouts, of its submodules, and of what
 * those files include, whether a condition holds or not. A filter is a program that git starts to compare files.
 */
export function localFilters(commonDir: string): string[] {
  const waiting = [...configFiles(commonDir)];
  const seen = new Set<string>();
  const keys = new Set<string>();
  for (let file = waiting.pop(); file !== undefined && seen.size < mostFiles; file = waiting.pop()) {
    if (seen.has(file)) continue;
    seen.add(file);
    for (const { section, subsection, name, value } of readConfigFile(file)) {
      if (section === "filter" && subsection !== undefined) keys.add(`filter.${subsection}.${name}`);
      if ((section === "include" || section === "includeif") && name === "path") waiting.push(included(file, value));
    }
  }
  return [...keys];
}

function included(file: string, path: string): string {
  return path.startsWith("~/") ? join(homedir(), path.slice(2)) : resolve(dirname(file), path);
}

function* configFiles(gitDir: string): Generator<string> {
  yield join(gitDir, "config");
  yield join(gitDir, "config.worktree");
  for (const name of foldersIn(join(gitDir, "worktrees"))) yield join(gitDir, "worktrees", name, "config.worktree");
  yield* moduleFiles(join(gitDir, "modules"));
}

/** A submodule's name may be a path, so that its git folder stands deeper. */
function* moduleFiles(folder: string, depth = 0): Generator<string> {
  for (const name of depth < 8 ? foldersIn(folder) : []) {
    const path = join(folder, name);
    if (foldersIn(path).includes("objects")) yield* configFiles(path);
    else yield* moduleFiles(path, depth + 1);
  }
}

function foldersIn(folder: string): string[] {
  try {
    return readdirSync(folder, { withFileTypes: true })
      .filter((entry) => entry.isDirectory())
      .map(({ name }) => name);
  } catch {
    return [];
  }
}
