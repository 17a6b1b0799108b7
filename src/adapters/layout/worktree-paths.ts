import { basename, dirname, join } from "node:path";
import { rootPaths } from "../layout.ts";
import { sha256Of } from "./file-names.ts";

const canNameFolder = /^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$/;
const removedPrefix = ".removed-";

/** Worktrees of runs. */
export const worktreePaths = {
  /** `.worktrees/<name>`: the bead's id where it can name a folder, else its letters and digits with a short hash. */
  of: (root: string, bead: string) => join(rootPaths.worktrees(root), worktreeName(bead)),
  /** `.worktrees/BEAD.RUN`, when another run needs the bead's place. */
  aside(folder: string, runId: string): string {
    const [name, suffix] = [basename(folder), `.${runId}`];
    return join(dirname(folder), name.endsWith(suffix) ? name : `${name}${suffix}`);
  },
  /** Where a worktree stands while it is deleted. `random` tells it from others of the bead. */
  removed: (root: string, folder: string, random: string) =>
    join(rootPaths.worktrees(root), `${removedPrefix}${basename(folder)}-${random}`),
  isRemoved: (name: string) => name.startsWith(removedPrefix),
  ignoreRules: (root: string) => join(rootPaths.worktrees(root), ".gitignore"),
} as const;

function worktreeName(bead: string): string {
  const isSafe = canNameFolder.test(bead) && !bead.includes("..") && !/\.(?:lock)?$/.test(bead);
  if (isSafe) return bead;
  const words = bead.replace(/[^A-Za-z0-9]+/g, "-").replace(/^-+/, "");
  return `${words.slice(0, 40) || "bead"}-${sha256Of(bead).slice(0, 8)}`.replace(/-+/g, "-");
}

/** The note about a run in the folder that git keeps for its worktree. */
export function worktreeNotePath(gitFolder: string): string {
  return join(gitFolder, "clew.json");
}
