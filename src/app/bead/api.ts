import { dependantsOf } from "../../bead/dependants.ts";
import type { BeadsApi } from "../../contract/api/bead.ts";
import type { ListedRun } from "../../contract/api/run.ts";
import type { Beads } from "./beads.ts";
import { closeBead, deleteBead, reopenBead, updateBead } from "./change.ts";
import { createBead } from "./create.ts";
import { addDependency, removeDependency } from "./depend.ts";
import { graphOf } from "./graph.ts";
import { importBeads, statusesAfterImport } from "./import.ts";
import { resolveBead } from "./names.ts";
import type { BeadParts } from "./parts.ts";
import { refuseAtWork, runAgainst, type BeadRuns } from "./run-against.ts";
import { showBead } from "./show.ts";

export interface BeadsApiParts extends BeadParts {
  beads: Beads;
  runs: BeadRuns;
  /** The latest run of a bead; undefined when it never had one. */
  latestRunOf: (beadId: string) => Promise<Pick<ListedRun, "id" | "status"> | undefined>;
  /** Whether the beads were read before this was put together, and may be others by now. */
  isRead: boolean;
}

export function beadsApi(parts: BeadsApiParts): BeadsApi {
  const { store, clock, beads, runs, latestRunOf } = parts;
  const resolve = (name: string): string => resolveBead(store, name);
  let isRead = parts.isRead;
  /** Lists are asked for again and again by those who live long, and a program is asked anew only then. */
  const refresh = async (): Promise<void> => {
    if (isRead) await beads.refresh();
    isRead = true;
  };
  return {
    create: (asked) => createBead(parts, asked),
    async list(asked) {
      await refresh();
      return beads.list(asked);
    },
    async ready(asked) {
      await refresh();
      return beads.ready(asked);
    },
    find: async ({ bead }) => ({ id: resolve(bead) }),
    show: async ({ bead }) => showBead(store, resolve(bead), { nowMs: clock.now(), latestRunOf }),
    runAgainst: async ({ bead, status }) => ({
      run: (await runAgainst(runs, store, resolve(bead), status)) ?? null,
    }),
    update: async (asked) => ({ bead: await updateBead(parts, asked) }),
    close: ({ bead, reason }) => closeBead(parts, bead, reason),
    reopen: ({ bead }) => reopenBead(parts, bead),
    async dependants({ bead }) {
      const id = resolve(bead);
      await refuseAtWork(runs, store, id);
      return dependantsOf(id, store.all().beads, clock.now());
    },
    async delete({ bead, reason }) {
      const id = resolve(bead);
      await refuseAtWork(runs, store, id);
      const { released } = dependantsOf(id, store.all().beads, clock.now());
      return { bead: await deleteBead(parts, id, reason), released };
    },
    addDependency: (asked) => addDependency(parts, asked),
    removeDependency: (asked) => removeDependency(parts, asked),
    async graph({ bead, all }) {
      const root = bead === undefined ? {} : { root: resolve(bead) };
      const known = { beads: store.all().beads, tombstones: store.deleted() };
      return { lines: graphOf(known, { ...root, all }, clock.now()) };
    },
    statusesAfterImport: async ({ lines, place }) => ({ beads: statusesAfterImport(store, lines, place) }),
    import: ({ lines, place }) => importBeads(parts, lines, place),
    export: async () => ({ lines: store.lines(), unreadable: store.all().unreadable }),
  };
}
