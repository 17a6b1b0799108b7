import { beadActor } from "../adapters/beads/actor.ts";
import { locksAt } from "../adapters/beads/locks-at.ts";
import { openBeadStore } from "../adapters/beads/open-beads.ts";
import type { Locks } from "../adapters/files/lock.ts";
import { refuseSparsePaths } from "../adapters/git/sparse-checkout.ts";
import { systemClock, systemIds } from "../adapters/system/system.ts";
import { allReady } from "../app/bead/beads.ts";
import type { BeadParts } from "../app/bead/parts.ts";
import type { Bead } from "../contract/bead.ts";
import type { Redact } from "../contract/redacted.ts";
import type { Settings } from "../contract/settings.ts";
import type { Ground } from "./wire-ground.ts";

interface Surrounding extends Pick<Ground, "disk" | "git" | "repository" | "env"> {
  settings: Pick<Settings, "allow_outside_beads">;
  locks: () => Promise<Locks>;
  redact: () => Promise<Redact>;
  held: BeadParts["held"];
  caller: BeadParts["caller"];
}

/** Puts together what reads and writes beads. */
export async function openBeads(surrounding: Surrounding): Promise<BeadParts & { ready: () => Promise<Bead[]> }> {
  const { disk, git, repository, settings, locks, redact, env } = surrounding;
  const { root, commonDir } = repository;
  const actor = beadActor(env);
  const store = await openBeadStore(
    {
      disk,
      root,
      commonDir,
      locks,
      locksAt: (folder) => locksAt(folder, { repository, locks }),
      env,
      actor,
    },
    {
      mayWriteOutside: settings.allow_outside_beads,
      refuseSparse: (path) => refuseSparsePaths(git, root, [path]),
    },
  );
  const { held, caller } = surrounding;
  const parts = { store, clock: systemClock, ids: systemIds, redact, actor, held, caller };
  return { ...parts, ready: () => allReady(parts) };
}
