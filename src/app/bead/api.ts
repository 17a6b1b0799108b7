import { dependantsOf } from "../../bead/dependants.ts";
import type { BeadsApi } from "../../contract/api/bead.ts";
import { tombstone } from "../../contract/bead.ts";
import { refuseAgentDelete, refuseAgentStatus } from "./authority.ts";
import { listBeads, listReady } from "./beads.ts";
import { closeBead, deleteBead, reopenBead, updateBead } from "./change.ts";
import { createBead } from "./create.ts";
import { addDependency, removeDependency } from "./depend.ts";
import { graphOf } from "./graph.ts";
import { importBeads, statusesAfterImport } from "./import.ts";
import { resolveBead } from "./find.ts";
import type { BeadParts } from "./parts.ts";
import { refuseAgainstRun, refuseAtWork, runAgainst, type BeadRuns } from "./run-against.ts";
import { showBead } from "./show.ts";

export interface BeadsApiParts extends BeadParts {
  runs: BeadRuns;
  /** Whether the beads were read before this was put together, and may be others by now. */
  isRead: boolean;
}

export function beadsApi(parts: BeadsApiParts): BeadsApi {
  const { store, clock, runs } = parts;
  const resolve = (name: string): string => resolveBead(store, name);
  /** Throws when the caller may not give a bead this status; not even a person may by mistake. */
  const refuseStatus = async (id: string, status: string, despiteRun = false): Promise<void> => {
    await refuseAgentStatus(parts, [{ id, status }]);
    if (!despiteRun) await refuseAgainstRun(runs, store, id, status);
  };
  let isRead = parts.isRead;
  /** A process that lives long asks for lists again and again; the beads are read anew from the second time on. */
  const refresh = async (): Promise<void> => {
    if (isRead) await store.refresh();
    isRead = true;
  };
  return {
    create: (request) => createBead(parts, request),
    async list(request) {
      await refresh();
      return listBeads(parts, request);
    },
    async ready(request) {
      await refresh();
      return listReady(parts, request);
    },
    find: async ({ bead }) => ({ id: resolve(bead) }),
    show: async ({ bead }) => showBead(store, resolve(bead), { nowMs: clock.now(), held: await parts.held(), runs }),
    runAgainst: async ({ bead, status }) => ({
      run: (await runAgainst(runs, store, resolve(bead), status)) ?? null,
    }),
    async update(request) {
      const { bead, status, despite_run } = request;
      if (status !== undefined) await refuseStatus(resolve(bead), status, despite_run);
      return { bead: await updateBead(parts, request) };
    },
    async close({ bead, reason, despite_run }) {
      await refuseStatus(resolve(bead), "closed", despite_run);
      return closeBead(parts, bead, reason);
    },
    async reopen({ bead, despite_run }) {
      await refuseStatus(resolve(bead), "open", despite_run);
      return reopenBead(parts, bead);
    },
    async dependants({ bead }) {
      const id = resolve(bead);
      await refuseAtWork(runs, store, id);
      return dependantsOf(id, store.all().beads, clock.now());
    },
    async delete({ bead, reason }) {
      const id = resolve(bead);
      await refuseAgentStatus(parts, [{ id, status: tombstone }]);
      await refuseAgentDelete(parts, id);
      await refuseAtWork(runs, store, id);
      const { released } = dependantsOf(id, store.all().beads, clock.now());
      return { bead: await deleteBead(parts, id, reason), released };
    },
    addDependency: (request) => addDependency(parts, request),
    removeDependency: (request) => removeDependency(parts, request),
    async graph({ bead, all = false }) {
      const root = bead === undefined ? {} : { root: resolve(bead) };
      const records = { beads: store.all().beads, tombstones: store.deleted() };
      return { lines: graphOf(records, { ...root, all }, { nowMs: clock.now(), held: await parts.held() }) };
    },
    statusesAfterImport: async ({ lines, place }) => ({ beads: statusesAfterImport(store, lines, place) }),
    async import({ lines, place }) {
      await refuseAgentStatus(parts, statusesAfterImport(store, lines, place));
      return importBeads(parts, lines, place);
    },
    export: async () => ({ lines: store.lines(), unreadable: store.all().unreadable }),
  };
}
