import { existsSync, realpathSync } from "node:fs";
import { dirname, join } from "node:path";
import { ClewError } from "../../contract/errors.ts";
import { checkoutIn, commonDirOf, type Checkout } from "./checkout.ts";
import { readCoreSettings } from "./core-settings.ts";
import { bareRepository, mainCheckoutAt, rootOfLinked } from "./root.ts";

/** Where a git repository keeps what Clew needs. Found by reading, because starting git costs more than most commands. */
export interface Repository {
  /** The main checkout, also when called inside a worktree. A bare repository has none: there, one of its worktrees is. */
  root: string;
  /** The root's own git folder. */
  gitDir: string;
  /** The folder that all worktrees share. */
  commonDir: string;
}

export function findRepository(from: string): Repository {
  for (let folder = realpathSync(from); ; folder = dirname(folder)) {
    const checkout = checkoutIn(folder);
    if (checkout) return repositoryOf(checkout);
    refuseBare(folder);
    if (folder === dirname(folder)) break;
  }
  throw new ClewError(
    "not_a_repository",
    `${from} is not inside a git repository`,
    "go to your project, or make one here: git init && clew init",
  );
}

/** The same; undefined where there is none. */
export function repositoryAround(from: string): Repository | undefined {
  try {
    return findRepository(from);
  } catch (error) {
    if (error instanceof ClewError && error.code === "not_a_repository") return undefined;
    throw error;
  }
}

function repositoryOf(checkout: Checkout): Repository {
  const commonDir = commonDirOf(checkout.gitDir);
  const root = commonDir === checkout.gitDir ? mainCheckoutAt(checkout) : rootOfLinked(checkout, commonDir);
  return { root: root.folder, gitDir: root.gitDir, commonDir };
}

/** Inside a bare repository git would not look further up either. */
function refuseBare(folder: string): void {
  const isGitDir = existsSync(join(folder, "HEAD")) && existsSync(join(folder, "objects"));
  if (isGitDir && readCoreSettings(folder).isBare) throw bareRepository(folder);
}
