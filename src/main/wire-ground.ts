import { readConfigAround } from "../adapters/files/config.ts";
import { boundedDisk } from "../adapters/files/bounded-disk.ts";
import { repositoryBounds } from "../adapters/files/bounds.ts";
import type { Disk } from "../adapters/files/disk.ts";
import type { Locks } from "../adapters/files/lock.ts";
import { nodeDisk } from "../adapters/files/node-disk.ts";
import { gitAt, type Git } from "../adapters/git/git.ts";
import { findRepository, type Repository } from "../adapters/git/repository.ts";
import { layoutOf, paths, type Layout } from "../adapters/layout.ts";
import type { SettingOrigin, Settings } from "../contract/settings.ts";
import type { Redactor } from "../redact/redactor.ts";
import { once, type Once } from "./once.ts";

export type Environment = Record<string, string | undefined>;

/** What all parts of the program share in one repository. */
export interface Ground {
  repository: Repository;
  layout: Layout;
  settings: Settings;
  disk: Disk;
  git: Git;
  env: Environment;
  locks: Once<Locks>;
  redactor: Once<Redactor>;
}

export async function openGround(cwd: string, env: Environment): Promise<Ground & { origins: SettingOrigin[] }> {
  const repository = findRepository(cwd);
  const { settings, origins } = await readConfigAround(cwd, repository, env);
  const layout = layoutOf(repository, settings.sessions_dir);
  const bounds = repositoryBounds(repository.commonDir, layout, settings.allow_linked_clew);
  return {
    repository,
    layout,
    settings,
    origins,
    disk: boundedDisk(nodeDisk, bounds),
    git: gitAt(repository.root),
    env,
    locks: once(async () => (await import("../adapters/files/lock.ts")).sqliteLocks(paths.locks(layout))),
    redactor: once(async () => (await import("../redact/redactor.ts")).createRedactor({ env })),
  };
}
