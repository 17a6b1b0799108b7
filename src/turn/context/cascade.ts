import type { ContextLine } from "./context-list.ts";
import { folderOfGlob, globMatcher, isGlob } from "./glob.ts";

export const contextLevels = ["global", "session", "vault", "read", "research"] as const;
export type ContextLevel = (typeof contextLevels)[number];

/** The lines of one level. */
export interface LevelLines {
  level: ContextLevel;
  lines: ContextLine[];
}

export interface ContextEntry {
  path: string;
  level: ContextLevel;
}

/** What a line took out. `by` is the line as it stands in its list. */
export interface RemovedEntry extends ContextEntry {
  by: string;
}

/** A pattern that matches no file. */
export interface UnmatchedLine {
  level: ContextLevel;
  line: ContextLine;
}

export interface Cascade {
  entries: ContextEntry[];
  removed: RemovedEntry[];
  unmatched: UnmatchedLine[];
}

/**
 * All levels as one list of paths: each path once, in the place where it was named first. A line with `!` takes out what stands above it; a
 * later line may bring it back. `filesIn` is asked only when there is a pattern, for the files of folders and of what is below them.
 */
export function cascade(levels: LevelLines[], filesIn: (folders: string[]) => readonly string[]): Cascade {
  const entries = new Map<string, ContextLevel>();
  const removed = new Map<string, RemovedEntry>();
  const unmatched: UnmatchedLine[] = [];
  let files: readonly string[] | undefined;
  const pathsOf = (pattern: string): readonly string[] => {
    if (!isGlob(pattern)) return [pattern];
    files ??= filesIn(foldersOf(levels));
    return files.filter(globMatcher(pattern));
  };
  for (const { level, lines } of levels) {
    for (const line of lines) {
      const { pattern, removes } = line;
      if (removes) {
        const isMeant = isGlob(pattern) ? globMatcher(pattern) : (path: string): boolean => path === pattern;
        for (const [path, of] of [...entries].filter(([each]) => isMeant(each))) {
          entries.delete(path);
          removed.set(path, { path, level: of, by: `!${pattern} (${level})` });
        }
        continue;
      }
      const paths = pathsOf(pattern);
      if (paths.length === 0) unmatched.push({ level, line });
      for (const path of paths) {
        if (!entries.has(path)) entries.set(path, level);
        removed.delete(path);
      }
    }
  }
  return { entries: [...entries].map(([path, level]) => ({ path, level })), removed: [...removed.values()], unmatched };
}

/** The folders in which the lines look for files. */
function foldersOf(levels: readonly LevelLines[]): string[] {
  const patterns = levels.flatMap(({ lines }) => lines.flatMap(({ pattern, removes }) => (removes ? [] : [pattern])));
  return [...new Set(patterns.filter(isGlob).map(folderOfGlob))];
}
