import { bdDatabase } from "../adapters/beads/bd-database.ts";
import { shownFile } from "../adapters/beads/bead-lines.ts";
import { beadFiles } from "../adapters/beads/bead-files.ts";
import { issuesFileAt } from "../adapters/beads/issues-file.ts";
import type { Disk } from "../adapters/files/disk.ts";
import type { Locks } from "../adapters/files/lock.ts";
import type { Git } from "../adapters/git/git.ts";
import { refuseLeftOut } from "../adapters/git/left-out.ts";
import { systemClock, systemIds } from "../adapters/system/system.ts";
import type { BeadPlace, BeadStore } from "../app/bead-port.ts";
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

/** Puts together what reads and writes beads: the file itself, or `bd` where the beads belong to its database. */
export function openBeads({ disk, git, root, locks, redact, env }: BeadParts): { store: BeadStore; beads: Beads } {
  const files = beadFiles({ disk, root, file: issuesFileAt(disk, root), locks });
  /** Asked at each change, because somebody may have begun to use `bd` since. */
  const writer = async (): Promise<BeadPlace> => {
    refuseLeftOut(git, root, [shownFile]);
    const database = bdDatabase(root);
    return database === undefined ? files : throughBd(database);
  };
  const throughBd = async (database: string): Promise<BeadPlace> => {
    const { bdProgram, refuseWithoutBd } = await import("../adapters/beads/bd-program.ts");
    const { bdBeads } = await import("../adapters/beads/bd-beads.ts");
    refuseWithoutBd(database, root, env);
    return bdBeads({ disk, root, locks, bd: bdProgram({ root, env }) });
  };
  const store: BeadStore = {
    ...files,
    change: async (...asked) => (await writer()).change(...asked),
    add: async (...asked) => (await writer()).add(...asked),
    put: async (...asked) => (await writer()).put(...asked),
  };
  const actor = env["BEADS_ACTOR"] || env["BD_ACTOR"] || env["USER"] || undefined;
  return { store, beads: new Beads({ store, clock: systemClock, ids: systemIds, redact, actor }) };
}
