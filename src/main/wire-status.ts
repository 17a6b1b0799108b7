import type { ClaimedRuns } from "../adapters/journal-file/claimed-runs.ts";
import { runQuestions } from "../app/run/session/questions.ts";
import type { RunSessionOwner } from "../app/run/session/owner.ts";
import type { SessionOwner } from "../app/session/owner.ts";
import type { SessionParts } from "../app/session/parts.ts";
import { overview } from "../app/status/overview.ts";
import type { AnyInboxItem, RefusedItem, WorkItem } from "../contract/api/inbox.ts";
import type { Overview } from "../contract/api/status.ts";
import type { Bead } from "../contract/bead.ts";

interface StatusWiring {
  sessions: SessionParts;
  /** Takes long to load, so that it is asked only for what claims and snapshots do not tell. */
  runOwner: () => Promise<RunSessionOwner>;
  claimedRuns: () => Promise<ClaimedRuns>;
  readyBeads: () => Promise<Bead[]>;
  refusedBeads: () => Promise<RefusedItem[]>;
  waitingWork: () => Promise<WorkItem[]>;
  /** Plans that nobody has executed yet. */
  openPlans: () => Promise<AnyInboxItem[]>;
  isPermission: (id: string) => boolean;
  isRun: (id: string) => boolean;
}

/** Puts together what looks at everything at once, of the few parts that it needs. */
export async function readStatus(wiring: StatusWiring): Promise<Overview> {
  const { sessions, runOwner, readyBeads, refusedBeads, waitingWork, isPermission, isRun } = wiring;
  const claimed = await wiring.claimedRuns();
  const unfinishedRuns = claimed.all;
  const ofRuns = runQuestions({
    records: sessions.records,
    isRun,
    unfinishedRuns,
    pendingSignal: claimed.pendingSignal,
    missingQuestions: async (knownIds) => (await runOwner()).missingQuestions(knownIds),
  });
  const owners: Pick<SessionOwner, "describe" | "waiting"> = {
    describe: (item) => ofRuns.describe(item),
    waiting: async (knownIds) => [...(await ofRuns.waiting(knownIds)), ...(await wiring.openPlans())],
  };
  return overview({ sessions, owners, unfinishedRuns, readyBeads, refusedBeads, waitingWork, isPermission });
}
