import type { Disk } from "../adapters/files/disk.ts";
import { paths, type Layout } from "../adapters/layout.ts";
import { bootName, systemClock } from "../adapters/system/system.ts";
import type { Beads } from "../app/bead/beads.ts";
import type { SessionRecords } from "../app/session/ports.ts";
import type { Projections } from "../app/session/projections.ts";
import { describeQuestion, stoppedItem } from "../app/run/session/questions.ts";
import type { OpenSessions } from "../app/session/open-sessions.ts";
import { Status } from "../app/status/overview.ts";
import type { RefusedItem } from "../contract/api/inbox.ts";
import type { OpenedRuns } from "./wire-runs.ts";

interface StatusParts {
  disk: Disk;
  layout: Layout;
  records: SessionRecords;
  openSessions: OpenSessions;
  projections: Projections;
  /** All that runs need; takes long to load, and is asked only for what the claims do not tell. */
  runs: () => Promise<OpenedRuns>;
  beads: () => Promise<Beads>;
  refusedBeads: () => Promise<RefusedItem[]>;
  isRun: (id: string) => boolean;
}

/** Puts together what looks at everything at once, of the few parts that looking needs. */
export async function openStatus(parts: StatusParts): Promise<Status> {
  const { disk, layout, records, openSessions, projections, runs, refusedBeads, isRun } = parts;
  const claimed =
    disk.list(paths.claims(layout)).length > 0
      ? (await import("../adapters/journal-file/claimed-runs.ts")).claimedRuns(disk, layout, bootName())
      : undefined;
  return new Status({
    records,
    openSessions,
    projections,
    clock: systemClock,
    beads: parts.beads,
    unfinishedRuns: () => claimed?.all() ?? [],
    // What owns sessions of runs takes long to load; their claims and snapshots mostly tell all that is asked here.
    owners: {
      describe: (item) =>
        describeQuestion(item, { records, isRun, pendingSignal: (runId) => claimed?.pendingSignal(runId) }),
      async waiting(known) {
        // A question that somebody took out of its session is made anew from the journal.
        const waits = claimed?.hasOtherQuestion(known) ? await (await runs()).sessionOwner.unknownWaits(known) : [];
        const idle = (claimed?.all() ?? []).filter(({ isDriven }) => !isDriven);
        return [...waits, ...idle.flatMap(({ state }) => stoppedItem(state))];
      },
    },
    refusedBeads,
  });
}
