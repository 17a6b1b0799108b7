import { priorityOf, type Bead } from "../../contract/bead.ts";
import type { OpenRun } from "./ports.ts";

/** What stands before the scheduler at one look. */
export interface Sight {
  limit: number;
  open: OpenRun[];
  /** By priority, then age. */
  ready: Bead[];
  /** Beads that this scheduler works on. */
  working: ReadonlySet<string>;
}

/** What earlier looks have to say about it. */
export interface Memory {
  isHeld(pick: Pick): boolean;
  hasFailed(pick: Pick): boolean;
  /** The process that began this run a moment ago may be about to drive it. */
  isSettling(run: OpenRun): boolean;
  /** This bead is to get no other run for now. */
  isLeft(bead: Bead): boolean;
}

export type Pick = { kind: "resume"; run: OpenRun } | { kind: "start"; bead: Bead };

export interface Plan {
  /** What begins now, in this order. */
  picks: Pick[];
  /** Nothing is worked on, begins, or would begin if there were a place for it. */
  isIdle: boolean;
  heldBack: number;
  drivenElsewhere: number;
}

/** Runs that wait for no person come first, then ready beads. Those that failed go behind their equals. */
export function planPicks({ limit, open, ready, working }: Sight, memory: Memory): Plan {
  const foreignRuns = open.filter(({ bead_id }) => !working.has(bead_id));
  const drivenElsewhere = foreignRuns.filter(({ status }) => status === "running").length;
  const resumable = foreignRuns.filter(needsDriver);
  // They keep a place, so that no bead gets ahead of them.
  const settling = resumable.filter((run) => memory.isSettling(run));
  const runs = resumable
    .filter((run) => !settling.includes(run))
    .sort((one, other) => (one.started < other.started ? -1 : one.started > other.started ? 1 : 0))
    .map((run): Pick => ({ kind: "resume", run }));
  const takenBeads = new Set([...working, ...open.map(({ bead_id }) => bead_id)]);
  const beads = ready
    .filter((bead) => !takenBeads.has(bead.id) && !memory.isLeft(bead))
    .map((bead): Pick => ({ kind: "start", bead }));

  // `sort` keeps equals in their order: the oldest first.
  const behindEquals = (one: Pick, other: Pick): number =>
    urgency(one) - urgency(other) || Number(memory.hasFailed(one)) - Number(memory.hasFailed(other));
  const isPossible = (pick: Pick): boolean => !memory.isHeld(pick);
  const possible = [...runs.filter(isPossible).sort(behindEquals), ...beads.filter(isPossible).sort(behindEquals)];
  // An agent that waits for a person works on nothing. When it goes on, there may be one more at work than the limit says.
  const asking = open.filter(({ isAsking }) => isAsking).length;
  const places = Math.max(0, limit - working.size - drivenElsewhere - settling.length + asking);
  const picks = possible.slice(0, places);
  return {
    picks,
    isIdle: working.size + possible.length + settling.length === 0,
    heldBack: runs.length + beads.length - possible.length,
    drivenElsewhere,
  };
}

/** Smaller is earlier. Runs are all alike. */
function urgency(pick: Pick): number {
  return pick.kind === "start" ? priorityOf(pick.bead) : 0;
}

/** No process drives it, and it has something to do: a crash interrupted it, or there is a signal for it. */
export function needsDriver({ status, isStopped, isConnected = false, pendingSignalId }: OpenRun): boolean {
  if (status === "running") return false;
  return pendingSignalId !== null || (status === "interrupted" && !isStopped && !isConnected);
}
