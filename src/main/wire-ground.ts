import { join } from "node:path";
import { readConfig, type Config } from "../adapters/files/config.ts";
import { boundedDisk } from "../adapters/files/bounded-disk.ts";
import { boundsOf, refuseLinkOut } from "../adapters/files/bounds.ts";
import type { Disk } from "../adapters/files/disk.ts";
import type { Locks } from "../adapters/files/lock.ts";
import { nodeDisk } from "../adapters/files/node-disk.ts";
import { makeWorkspace, workspaceFiles } from "../adapters/files/workspace.ts";
import { excludeOwnFiles } from "../adapters/git/exclude.ts";
import { gitAt, type Git } from "../adapters/git/git.ts";
import { findRepository, type Repository } from "../adapters/git/repository.ts";
import { recordRoot } from "../adapters/git/root.ts";
import { refuseSparsePaths } from "../adapters/git/sparse-checkout.ts";
import { homeIn, paths, rootPaths, userSettings, type Layout } from "../adapters/layout.ts";
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
  const { root, commonDir } = repository;
  const { settings, origins } = await readSettings(repository, env);
  const layout: Layout = { root, sessions: join(root, settings.sessions_dir), home: homeIn(commonDir) };
  const linkable = [rootPaths.clew(root), layout.sessions, layout.home];
  const bounds = boundsOf(root, commonDir, linkable, settings.allow_linked_clew);
  // SQLite and the index open these themselves, not through the disk.
  for (const folder of [paths.locks(layout), paths.index(layout), paths.search(layout)]) refuseLinkOut(bounds, folder);
  return {
    repository,
    layout,
    settings,
    origins,
    disk: boundedDisk(nodeDisk, bounds),
    git: gitAt(root),
    env,
    locks: once(async () => (await import("../adapters/files/lock.ts")).sqliteLocks(paths.locks(layout))),
    redactor: once(async () => (await import("../redact/redactor.ts")).createRedactor({ env })),
  };
}

/** The settings as they stand in the files now. */
export function readSettings({ root, commonDir }: Repository, env: Environment): Promise<Config> {
  return readConfig(nodeDisk, root, userSettings(env), commonDir);
}

/** Throws when `prepareWorkspace` would write over what a sparse checkout leaves out. */
export function refuseLeftOutFiles({ git, layout }: Pick<Ground, "git" | "layout">): void {
  refuseSparsePaths(git, layout.root, workspaceFiles);
}

/** Makes `.clew/` with its ignore rules; returns what was made. */
export function prepareWorkspace(ground: Ground): string[] {
  const { disk, repository, layout } = ground;
  refuseLeftOutFiles(ground);
  recordRoot(disk, repository);
  excludeOwnFiles(disk, repository.commonDir);
  return makeWorkspace(disk, layout);
}
