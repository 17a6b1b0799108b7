import type { Disk } from "../files/disk.ts";
import { makeClewFolder, renewIgnoreRules, clewFolderFiles } from "../files/clew-folder.ts";
import { rootPaths, type Layout } from "../layout.ts";
import { excludeOwnFiles } from "./exclude.ts";
import type { Git } from "./git.ts";
import type { Repository } from "./repository.ts";
import { recordRoot } from "./root.ts";
import { refuseSparsePaths } from "./sparse-checkout.ts";

interface Parts {
  disk: Disk;
  git: Git;
  repository: Repository;
  layout: Layout;
}

/** What `clew init`, a first session or a first run makes in a repository. */
export function repositorySetup({ disk, git, repository, layout }: Parts) {
  const { root } = layout;

  /** Throws when `prepare` would write over what a sparse checkout leaves out. */
  function refuseLeftOut(): void {
    refuseSparsePaths(git, root, clewFolderFiles);
  }

  /** Makes `.clew/` with its ignore rules; returns what was made. */
  function prepare(): string[] {
    refuseLeftOut();
    recordRoot(disk, repository);
    excludeOwnFiles(disk, repository.commonDir);
    return makeClewFolder(disk, layout);
  }

  return {
    refuseLeftOut,
    prepare,

    /** Whether `clew init`, or a first session, has been here. */
    isSetUp: (): boolean => [rootPaths.clew(root), layout.home].some((folder) => disk.stamp(folder) !== undefined),

    /** Also brings what an earlier version made up to this one. */
    init: async (): Promise<{ made: string[]; renewed: string[] }> => {
      const made = prepare();
      const isRenewed = await renewIgnoreRules(disk, layout);
      return { made, renewed: isRenewed ? [rootPaths.ignoreRules("")] : [] };
    },
  };
}
