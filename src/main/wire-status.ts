import { join } from "node:path";
import type { Disk } from "../adapters/files/disk.ts";
import type { Layout } from "../adapters/files/layout.ts";
import { bootName, systemClock } from "../adapters/system/system.ts";
import type { Beads } from "../app/beads.ts";
import type { SessionRecords } from "../app/ports.ts";
import type { Projections } from "../app/projections.ts";
import { runOfSession } from "../app/run-sessions.ts";
import type { Sessions } from "../app/sessions.ts";
import { Status } from "../app/status.ts";
import { stoppedItem } from "../app/stopped-item.ts";
import type { RefusedItem } from "../contract/session-row.ts";
import type { OpenedRuns } from "./wire-runs.ts";

interface StatusParts {
  disk: Disk;
  layout: Layout;
  records: SessionRecords;
  sessions: Sessions;
  projections: Projections;
  /** All that runs need; takes long to load, and is asked only for what the claims do not tell. */
  runs: () => Promise<OpenedRuns>;
  beads: () => Promise<Beads>;
  refusedInInbox: () => Promise<RefusedItem[]>;
  isRun: (id: string) => boolean;
}

/** Puts together what looks at everything at once, of the few parts that looking needs. */
export async function openStatus(parts: StatusParts): Promise<Status> {
  const { disk, layout, records, sessions, projections, runs, refusedInInbox, isRun } = parts;
  const claims = join(layout.home, "claims");
  const claimed =
    disk.list(claims).length > 0
      ? (await import("./wire-claimed-runs.ts")).openClaimedRuns({ disk, layout, claims, boot: bootName() })
      : undefined;
  return new Status({
    records,
    sessions,
    projections,
    clock: systemClock,
    beads: parts.beads,
    unfinishedRuns: () => claimed?.all() ?? [],
    waiting: {
      pendingSignal: async (runId) => claimed?.pendingSignal(runId),
      // A question that somebody took out of its session is made anew from the journal.
      waits: async (known) => (claimed?.asksBeside(known) ? (await runs()).runSessions.waits(known) : []),
      stopped: async () =>
        (claimed?.all() ?? []).flatMap(({ state, isDriven }) => (isDriven ? [] : stoppedItem(state))),
    },
    asking: { runOf: (id) => runOfSession({ records, isRun }, id), refused: refusedInInbox },
  });
}
