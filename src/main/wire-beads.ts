import { locksAt } from "../adapters/beads/locks-at.ts";
import { openBeadStore } from "../adapters/beads/open-beads.ts";
import type { Disk } from "../adapters/files/disk.ts";
import type { Locks } from "../adapters/files/lock.ts";
import type { Git } from "../adapters/git/git.ts";
import { refuseSparsePaths } from "../adapters/git/sparse-checkout.ts";
import type { Repository } from "../adapters/git/repository.ts";
import { systemClock, systemIds } from "../adapters/system/system.ts";
import { Beads } from "../app/bead/beads.ts";
import type { BeadParts } from "../app/bead/parts.ts";
import type { Redact } from "../contract/redacted.ts";
import type { Settings } from "../contract/settings.ts";

interface Surrounding {
  disk: Disk;
  git: Git;
  repository: Repository;
  settings: Pick<Settings, "allow_outside_beads">;
  locks: () => Promise<Locks>;
  redact: () => Promise<Redact>;
  env: Record<string, string | undefined>;
}

/** Puts together what reads and writes beads. */
export async function openBeads(parts: Surrounding): Promise<BeadParts & { beads: Beads }> {
  const { disk, git, repository, settings, locks, redact, env } = parts;
  const { root, commonDir } = repository;
  const actor = env["BEADS_ACTOR"] || env["BD_ACTOR"] || env["USER"] || undefined;
  const store = await openBeadStore(
    {
      disk,
      root,
      commonDir,
      locks,
      locksAt: (folder) => locksAt(folder, { repository, locks }),
      env,
      // A claim in a database has to be somebody's.
      actor: actor ?? "clew",
    },
    {
      mayWriteOutside: settings.allow_outside_beads,
      refuseSparse: (path) => refuseSparsePaths(git, root, [path]),
    },
  );
  const clock = systemClock;
  return { store, clock, ids: systemIds, redact, actor, beads: new Beads(store, clock) };
}
