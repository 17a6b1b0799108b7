import { lstatSync, readlinkSync, symlinkSync, unlinkSync } from "node:fs";
import { relative } from "node:path";
import { retryOnChange } from "./retry-on-change.ts";
import type { Disk } from "./disk.ts";
import { explainErrors } from "./failure.ts";
import { linkedFolder, linkedFolders, replacement, rootPaths, type Layout } from "../layout.ts";
import { limits } from "./limits.ts";

const ignoreRules = `# What Clew derives or keeps for this machine only. Sessions are yours to commit.
${linkedFolders.map((name) => `/${name}`).join("\n")}
# Files that are about to take another's place.
${replacement.ignoreRule}
# Turns are versioned whole, also where a repository ignores *.log.
!_context.log
`;

/** Rules of earlier versions for files that belong to the repository now: turns and breadcrumbs. */
const formerlyIgnored = new Set(["_context.log", "breadcrumbs/"]);

/** Files that `makeClewFolder` writes when they are missing, below the root. */
export const clewFolderFiles = [rootPaths.ignoreRules(""), rootPaths.settings("")];

const configTemplate = `# Settings of this repository. \`clew config show\` lists all of them with their origin.
# save: phase            # when session.md is synced: phase, tool, or an interval such as 30s
# channel: dev           # of sessions that are started without --channel
# subagent_mode: link    # inline, link or embed
# idle_timeout: 12h      # an active session without entries for this long is paused; 0 never
# sessions_dir: .clew/sessions
# default_grimoire: implement-bead
# grimoire_types: {bug: fix-bug}
# worktree: {setup: npm ci, copy: [.env]}   # what a run's worktree needs besides what git has
`;

/** Makes what is missing in `.clew/` and returns the new names. Can be repeated; never changes existing files. */
export function makeClewFolder(disk: Disk, layout: Layout): string[] {
  const created: string[] = [];
  const clewFolder = rootPaths.clew(layout.root);
  const file = (path: string, text: string): void => {
    if (disk.stamp(path)) return;
    disk.replace(path, Buffer.from(text));
    created.push(relative(layout.root, path));
  };
  disk.makeFolder(clewFolder);
  disk.makeFolder(layout.sessions);
  file(rootPaths.ignoreRules(layout.root), ignoreRules);
  file(rootPaths.settings(layout.root), configTemplate);
  for (const name of linkedFolders) {
    const { folder, link } = linkedFolder(layout, name);
    disk.makeFolder(folder);
    if (makeLink(link, relative(clewFolder, folder))) created.push(relative(layout.root, link));
  }
  return created;
}

/**
 * Brings the ignore rules of an earlier version up to this one. A user's own rules stay, and come after Clew's, so that
 * they take precedence. False when there was nothing to do.
 */
export function renewIgnoreRules(disk: Disk, layout: Layout): Promise<boolean> {
  const path = rootPaths.ignoreRules(layout.root);
  return retryOnChange(path, () => renewRulesIn(disk, path));
}

function renewRulesIn(disk: Disk, path: string): boolean {
  const rulesFile = disk.readStamped(path, limits.settings);
  if (!rulesFile) return false;
  const text = rulesFile.bytes.toString("utf8");
  const end = text.includes("\r\n") ? "\r\n" : "\n";
  const lines = text.split(/\r?\n/);
  const existingRules = new Set(lines.map((line) => line.trimEnd()));
  const missing = missingRules(existingRules);
  const remainingLines = lines.filter((line) => !formerlyIgnored.has(line.trimEnd()));
  if (missing.length === 0 && remainingLines.length === lines.length) return false;
  disk.replace(path, Buffer.from([...missing, ...remainingLines].join(end)), undefined, rulesFile.stamp);
  return true;
}

/** Clew's rules that are missing, each with the comment above it. */
function missingRules(existingRules: ReadonlySet<string>): string[] {
  const missing: string[] = [];
  let comment: string[] = [];
  for (const line of ignoreRules.trimEnd().split("\n")) {
    if (line.startsWith("#")) comment = existingRules.has(line) ? [] : [line];
    else if (!existingRules.has(line)) missing.push(...comment.splice(0), line);
  }
  return missing;
}

/** Replaces a link with another target; anything else of that name stays. */
function makeLink(path: string, target: string): boolean {
  return explainErrors(path, () => {
    const stats = lstatSync(path, { throwIfNoEntry: false });
    if (stats && (!stats.isSymbolicLink() || readlinkSync(path) === target)) return false;
    if (stats) unlinkSync(path);
    try {
      symlinkSync(target, path);
    } catch (error) {
      // Another process was faster.
      if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
    }
    return true;
  });
}
