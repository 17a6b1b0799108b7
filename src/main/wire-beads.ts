import { shownFile } from "../adapters/beads/bead-lines.ts";
import { openBeadStore } from "../adapters/beads/open-beads.ts";
import type { Disk } from "../adapters/files/disk.ts";
import type { Locks } from "../adapters/files/lock.ts";
import type { Git } from "../adapters/git/git.ts";
import { refuseLeftOut } from "../adapters/git/left-out.ts";
import { systemClock, systemIds } from "../adapters/system/system.ts";
import type { BeadStore } from "../app/bead-port.ts";
import { Beads } from "../app/beads.ts";
import type { Redact } from "../app/ports.ts";

interface BeadParts {
  disk: Disk;
  git: Git;
  /** The main checkout. */
  root: string;
  locks: () => Promise<Locks>;
  redact: () => Promise<Redact>;
  env: Record<string, string | undefined>;
}

/** Puts together what reads and writes beads. */
export async function openBeads(parts: BeadParts): Promise<{ store: BeadStore; beads: Beads }> {
  const { disk, git, root, locks, redact, env } = parts;
  const actor = env["BEADS_ACTOR"] || env["BD_ACTOR"] || env["USER"] || undefined;
  const store = await openBeadStore({
    disk,
    root,
    locks,
    env,
    // A claim in a database has to be somebody's.
    actor: actor ?? "clew",
    refuseLeftOut: () => refuseLeftOut(git, root, [shownFile]),
  });
  return { store, beads: new Beads({ store, clock: systemClock, ids: systemIds, redact, actor }) };
}
