import { readdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { isBelow } from "../files/bounds.ts";
import { realPath } from "../files/real-path.ts";
import { checkoutIn, commonDirOf, readTrimmed } from "../git/checkout.ts";
import type { Repository } from "../git/repository.ts";

/** The folders of a repository: its checkout and its worktrees, also those that stand elsewhere. */
export function ownRoots({ root, commonDir }: Repository): string[] {
  let names: string[] = [];
  try {
    names = readdirSync(join(commonDir, "worktrees"));
  } catch {
    // There are none.
  }
  const worktrees = names.flatMap((name) => {
    const gitFile = readTrimmed(join(commonDir, "worktrees", name, "gitdir"));
    return gitFile === undefined ? [] : [dirname(gitFile)];
  });
  return [...new Set([root, realPath(root), ...worktrees])];
}

/** Whether a folder belongs to the repository. A folder inside that belongs to another repository does not. */
export function folderCheck(repository: Repository, roots: string[]): (folder: string) => boolean {
  const known = new Map<string, boolean>();
  const isOwn = (folder: string): boolean => {
    const root = roots.find((each) => folder === each || isBelow(folder, each));
    if (root === undefined) return false;
    for (let at = folder; at !== root; at = dirname(at)) {
      const checkout = checkoutAt(at);
      if (checkout !== undefined) return checkout === repository.commonDir;
    }
    return true;
  };
  return (folder) => {
    let answer = known.get(folder);
    if (answer === undefined) known.set(folder, (answer = isOwn(folder)));
    return answer;
  };
}

/** The common folder of the repository whose checkout begins here. */
function checkoutAt(folder: string): string | undefined {
  try {
    const checkout = checkoutIn(folder);
    return checkout && commonDirOf(checkout.gitDir);
  } catch {
    return undefined;
  }
}
