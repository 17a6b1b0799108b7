import { readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { GitCalls, GitResult } from "../git-calls.ts";
import { readMakingMark } from "./making-mark.ts";

/** A living git has written the file by then. */
const abandonedMs = 2_000;

/** Git's own list, in its porcelain form. What a killed git left half made does not keep it from answering. */
export async function listWorktrees(
  git: GitCalls,
  { folder, commonDir, flags = [] }: { folder: string; commonDir: string; flags?: string[] },
): Promise<GitResult> {
  const list = (): Promise<GitResult> => git.plain(folder, [...flags, "worktree", "list", "--porcelain", "-z"]);
  finishAbandoned(commonDir);
  const result = await list();
  if (result.code === 0) return result;
  // Git was waited for until now: the file may count as abandoned since.
  finishAbandoned(commonDir);
  return list();
}

/**
 * Writes what a killed git had begun to write for a worktree of a run: git dies of the empty file. Such a worktree has no
 * note, and is removed like any other that was never finished. Those of other programs stay as they are.
 */
function finishAbandoned(commonDir: string): void {
  const folder = join(commonDir, "worktrees");
  for (const name of namesIn(folder)) {
    const file = join(folder, name, "commondir");
    const stats = statSync(file, { throwIfNoEntry: false });
    const isAbandoned = stats?.isFile() && stats.size === 0 && Date.now() - stats.mtimeMs > abandonedMs;
    if (isAbandoned && isOfRun(join(folder, name))) writeFileSync(file, "../..\n");
  }
}

function isOfRun(gitFolder: string): boolean {
  try {
    return readMakingMark(readFileSync(join(gitFolder, "locked"), "utf8").trimEnd()) !== undefined;
  } catch {
    return false;
  }
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}
