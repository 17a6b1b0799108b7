import { lstatSync, readlinkSync, symlinkSync, unlinkSync } from "node:fs";
import { join, relative } from "node:path";
import type { Disk } from "./disk.ts";
import { explained } from "./failure.ts";
import type { Layout } from "./layout.ts";

/** Folders that live in the git folder and are reached through `.clew/`. */
const linked = ["logs", "state", "transcripts", "index"];

const ignored = `# What Clew derives or keeps for this machine only. Sessions are yours to commit.
/logs
/state
/transcripts
/index
# Files that are about to take another's place.
.*.[0-9]*.new
# Turns are versioned whole, also where a repository ignores *.log.
!_context.log
`;

/** What `makeWorkspace` writes where it is missing, below the root. */
export const workspaceFiles = [".clew/.gitignore", ".clew/config.yaml"];

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

/** Makes what is missing of \`.clew/\` and returns its names. Safe to repeat; never changes what is there. */
export function makeWorkspace(disk: Disk, layout: Layout): string[] {
  const made: string[] = [];
  const folder = join(layout.root, ".clew");
  const file = (name: string, text: string): void => {
    const path = join(folder, name);
    if (disk.stamp(path)) return;
    disk.replace(path, Buffer.from(text));
    made.push(`.clew/${name}`);
  };
  disk.makeFolder(folder);
  disk.makeFolder(layout.sessions);
  file(".gitignore", ignored);
  file("config.yaml", configTemplate);
  for (const name of linked) {
    disk.makeFolder(join(layout.home, name));
    if (makeLink(join(folder, name), relative(folder, join(layout.home, name)))) made.push(`.clew/${name}`);
  }
  return made;
}

/** Links to a place that no longer exists are made anew; anything else of that name is left alone. */
function makeLink(path: string, target: string): boolean {
  return explained(path, () => {
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
