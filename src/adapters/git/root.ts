import { realpathSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { ClewError } from "../../contract/errors.ts";
import type { Disk } from "../files/disk.ts";
import { homeIn, paths } from "../layout.ts";
import { checkoutIn, commonDirOf, readTrimmed, type Checkout } from "./checkout.ts";
import { readCoreSettings } from "./core-settings.ts";
import { realPath } from "../files/real-path.ts";

/** The main checkout of a folder whose `.git` is the repository itself. Throws where git would work on other files. */
export function mainCheckoutAt(checkout: Checkout): Checkout {
  const { folder, gitDir } = checkout;
  const { isBare, worktree } = readCoreSettings(gitDir);
  if (isBare) throw bareRepository(gitDir);
  if (worktree === undefined || realPath(resolve(gitDir, worktree)) === folder) return checkout;
  const worktreeCheckout = checkoutOf(gitDir, resolve(gitDir, worktree));
  if (worktreeCheckout) return worktreeCheckout;
  throw new ClewError(
    "not_a_repository",
    `core.worktree of ${gitDir} names ${resolve(gitDir, worktree)}, which has no .git that leads back`,
    `echo "gitdir: ${gitDir}" > ${join(resolve(gitDir, worktree), ".git")}, or git config --unset core.worktree`,
  );
}

/** The root, seen from a linked worktree. */
export function rootOfLinked(linked: Checkout, commonDir: string): Checkout {
  const root = recordedRoot(commonDir) ?? rootByGit(commonDir);
  if (root) return root;
  if (readCoreSettings(commonDir).isBare) return linked;
  throw new ClewError(
    "not_a_repository",
    `${linked.folder} is a worktree of ${commonDir}, which does not say where its main checkout is`,
    "call clew init there, once",
  );
}

/** The main checkout as far as git's own files name it. */
function rootByGit(commonDir: string): Checkout | undefined {
  const { isBare, worktree } = readCoreSettings(commonDir);
  if (isBare) return undefined;
  return checkoutOf(commonDir, worktree === undefined ? dirname(commonDir) : resolve(commonDir, worktree));
}

const rootFile = (commonDir: string): string => paths.root(homeIn(commonDir));

/** What `recordRoot` wrote, as long as it is a checkout of this repository. */
function recordedRoot(commonDir: string): Checkout | undefined {
  const folder = readTrimmed(rootFile(commonDir));
  return folder === undefined ? undefined : checkoutOf(commonDir, folder);
}

/**
 * Records where the root is when git's files do not tell: with a separate git folder, or a bare repository. All worktrees
 * must agree on one root, because they share one record of runs.
 */
export function recordRoot(disk: Disk, { root, commonDir }: { root: string; commonDir: string }): void {
  if ((recordedRoot(commonDir) ?? rootByGit(commonDir))?.folder === root) return;
  disk.makeFolder(dirname(rootFile(commonDir)));
  disk.replace(rootFile(commonDir), Buffer.from(`${root}\n`));
}

/** The checkout at a place, when it is one of this repository. */
function checkoutOf(commonDir: string, place: string): Checkout | undefined {
  try {
    const checkout = checkoutIn(realpathSync(place));
    return checkout && commonDirOf(checkout.gitDir) === commonDir ? checkout : undefined;
  } catch {
    return undefined;
  }
}

export function bareRepository(gitDir: string): ClewError {
  return new ClewError(
    "not_a_repository",
    `${gitDir} is a bare repository: it has no files to work on`,
    "go into one of its worktrees (git worktree list shows them), or make one: git worktree add PATH BRANCH",
  );
}
