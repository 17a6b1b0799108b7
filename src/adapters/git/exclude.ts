import { join } from "node:path";
import { ClewError } from "../../contract/errors.ts";
import type { Disk } from "../files/disk.ts";
import { limits } from "../files/limits.ts";

/** What Clew puts into a checkout for this machine alone, from the root, or for a moment beside a file that it writes anew. */
const rules = ["/.worktrees/", "/.clew/index", "/.clew/logs", "/.clew/state", "/.clew/transcripts", ".*.[0-9]*.new"];

/**
 * Hides from git what only this machine needs, also on commits from before `clew init` and after `git clean -fdx`, both of
 * which take the ignore files in the checkout away. The rules stand in git's own folder; others there stay as they are.
 */
export function excludeOwnFiles(disk: Disk, commonDir: string): void {
  try {
    addRules(disk, commonDir);
  } catch (error) {
    // Where nothing can be written nothing comes to be hidden, and whoever looks must not fail.
    if (!(error instanceof ClewError)) throw error;
  }
}

function addRules(disk: Disk, commonDir: string): void {
  const folder = join(commonDir, "info");
  const file = join(folder, "exclude");
  const text = disk.read(file, limits.settings)?.toString("utf8") ?? "";
  const known = new Set(text.split(/\r?\n/));
  const missing = rules.filter((rule) => !known.has(rule));
  if (missing.length === 0) return;
  disk.makeFolder(folder);
  const start = text === "" || text.endsWith("\n") ? "" : "\n";
  disk.append(file, Buffer.from(`${start}# Clew keeps these for this machine only.\n${missing.join("\n")}\n`), 0o644);
}
