import { existsSync } from "node:fs";
import { boundsOf, refuseLinkOut } from "../files/bounds.ts";
import { repositoryAround, type Repository } from "../git/repository.ts";
import { homeIn, rootPaths } from "../layout.ts";
import { hookPaths } from "../layout/hook-paths.ts";
import { attempt } from "../../text/attempt.ts";

/** Engines tell their hooks where the work began; an agent may have gone elsewhere since. */
const folderVariables = ["CLAUDE_PROJECT_DIR", "GEMINI_PROJECT_DIR", "QWEN_PROJECT_DIR"];

/** Where the calls of an agent are kept. */
export interface HookPlace {
  /** The folder by which the repository was found. */
  folder: string;
  home: string;
  root: string;
  /** Throws when what is kept would be written outside the repository. */
  refuseLinks: () => void;
}

/** The folders in which an agent may work, the most likely first. */
export function hookFolders(env: Record<string, string | undefined>): string[] {
  const named = folderVariables.flatMap((name) => env[name] || []);
  return [...named, ...attempt(() => [process.cwd()], [])];
}

/** The repository that an agent works in; undefined where there is none, or where Clew was never set up. */
export function hookPlace(env: Record<string, string | undefined>): HookPlace | undefined {
  for (const folder of hookFolders(env)) {
    const repository = attempt(() => repositoryAround(folder), undefined);
    if (!repository) continue;
    return isSetUp(repository) ? placeIn(repository, folder) : undefined;
  }
  return undefined;
}

function placeIn({ root, commonDir }: Repository, folder: string): HookPlace {
  const home = homeIn(commonDir);
  const { spools, openFolder, evidenceFolder } = hookPaths;
  return {
    folder,
    home,
    root,
    refuseLinks() {
      const bounds = boundsOf(root, commonDir, [], false);
      for (const path of [spools(home), openFolder(home), evidenceFolder(home)]) refuseLinkOut(bounds, path);
    },
  };
}

function isSetUp({ root, commonDir }: Repository): boolean {
  return existsSync(rootPaths.clew(root)) || existsSync(homeIn(commonDir));
}
