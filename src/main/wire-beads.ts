import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { openBeadStore } from "../adapters/beads/open-beads.ts";
import { refuseLinkOut } from "../adapters/files/bounds.ts";
import type { Disk } from "../adapters/files/disk.ts";
import type { Locks } from "../adapters/files/lock.ts";
import type { Git } from "../adapters/git/git.ts";
import { refuseLeftOut } from "../adapters/git/left-out.ts";
import { findRepository, type Repository } from "../adapters/git/repository.ts";
import { systemClock, systemIds } from "../adapters/system/system.ts";
import type { BeadStore } from "../app/bead-port.ts";
import { Beads } from "../app/beads.ts";
import type { Redact } from "../app/ports.ts";
import { ClewError } from "../contract/errors.ts";
import type { Settings } from "../contract/settings.ts";

interface BeadParts {
  disk: Disk;
  git: Git;
  repository: Repository;
  settings: Pick<Settings, "allow_outside_beads">;
  locks: () => Promise<Locks>;
  redact: () => Promise<Redact>;
  env: Record<string, string | undefined>;
}

/** Puts together what reads and writes beads. */
export async function openBeads(parts: BeadParts): Promise<{ store: BeadStore; beads: Beads }> {
  const { disk, git, repository, settings, locks, redact, env } = parts;
  const { root, commonDir } = repository;
  const actor = env["BEADS_ACTOR"] || env["BD_ACTOR"] || env["USER"] || undefined;
  const store = await openBeadStore({
    disk,
    root,
    commonDir,
    locks,
    locksAt: (folder) => locksAt(folder, parts),
    env,
    // A claim in a database has to be somebody's.
    actor: actor ?? "clew",
    mayWriteOutside: settings.allow_outside_beads,
    refuseLeftOut: (path) => refuseLeftOut(git, root, [path]),
  });
  return { store, beads: new Beads({ store, clock: systemClock, ids: systemIds, redact, actor }) };
}

/**
 * The locks of the repository in which a folder stands, which is whose Clew writes there too; of a folder that stands in none,
 * in the folder itself.
 */
async function locksAt(folder: string, { repository, locks }: BeadParts): Promise<Locks> {
  const there = repositoryAround(folder);
  if (there?.commonDir === repository.commonDir) return locks();
  const { sqliteLocks } = await import("../adapters/files/lock.ts");
  if (!there) return sqliteLocks(join(folder, ".clew-locks"));
  const place = join(there.commonDir, "clew", "locks");
  refuseLinkOut({ ...there, allowed: [] }, place);
  return sqliteLocks(place);
}

function repositoryAround(folder: string): Repository | undefined {
  let at = folder;
  while (!existsSync(at)) at = dirname(at);
  try {
    return findRepository(at);
  } catch (error) {
    if (error instanceof ClewError && error.code === "not_a_repository") return undefined;
    throw error;
  }
}
