import { dirname, join } from "node:path";
import { ClewError } from "../../contract/errors.ts";
import type { Disk } from "../files/disk.ts";
import { limits } from "../files/limits.ts";
import { turnAsideRule } from "../layout/turn-aside.ts";
import { linkedFolders, replacement, rootPaths } from "../layout.ts";

/** What Clew puts into a checkout for this machine alone: below the root, and beside a file while it is replaced. */
const rules = [
  `${rootPaths.worktrees("/")}/`,
  ...linkedFolders.map((name) => `${rootPaths.clew("/")}/${name}`).sort(),
  replacement.ignoreRule,
  turnAsideRule,
];

/**
 * Hides from git what only this machine needs. The rules stand in git's own folder, because older commits and
 * `git clean -fdx` take the ignore files in the checkout away. Other rules there stay as they are.
 */
export function excludeOwnFiles(disk: Disk, commonDir: string): void {
  try {
    addRules(disk, commonDir);
  } catch (error) {
    // Where Clew cannot write, it makes no files to hide either.
    if (!(error instanceof ClewError)) throw error;
  }
}

/** Whether all rules are there. */
export function hidesOwnFiles(disk: Disk, commonDir: string): boolean {
  return missingRules(readExclude(disk, commonDir)).length === 0;
}

/** Where git reads rules that no commit changes. */
export function excludePath(commonDir: string): string {
  return join(commonDir, "info", "exclude");
}

export function readExclude(disk: Disk, commonDir: string): string {
  return disk.read(excludePath(commonDir), limits.file)?.toString("utf8") ?? "";
}

function missingRules(text: string): string[] {
  const lines = new Set(text.split(/\r?\n/));
  return rules.filter((rule) => !lines.has(rule));
}

function addRules(disk: Disk, commonDir: string): void {
  const file = excludePath(commonDir);
  const text = readExclude(disk, commonDir);
  const missing = missingRules(text).join("\n");
  if (missing === "") return;
  disk.makeFolder(dirname(file));
  const separator = text === "" || text.endsWith("\n") ? "" : "\n";
  const lines = `${separator}# Clew keeps these for this machine only.\n${missing}\n`;
  disk.append(file, Buffer.from(lines), 0o644);
}
