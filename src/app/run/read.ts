import type { ListedRun, UnreadableRun } from "../../contract/api/run.ts";
import { ClewError } from "../../contract/errors.ts";
import type { JournalLine } from "../../contract/run-journal.ts";
import type { EndedRun, RunSnapshot } from "../../contract/run-snapshot.ts";
import { recentRunMs, type RunStatus, type VisibleStatus } from "../../contract/run.ts";
import type { PinnedRun } from "../../contract/pinned-run.ts";
import type { RunStore, RunWorktrees } from "./ports.ts";

// Nothing here writes to a run or drives one.

/** What lists of runs need. */
export interface RunListParts {
  store: RunStore;
  worktrees: Pick<RunWorktrees, "places">;
  nowMs: () => number;
}

export interface ListedRuns {
  runs: ListedRun[];
  unreadable: UnreadableRun[];
}

const lookEveryMs = 100;

/** Newest first. Runs that ended over a week ago only with `all`. */
export function listRuns(parts: RunListParts, { all = false } = {}): ListedRuns {
  const { store, nowMs, worktrees } = parts;
  const places = worktrees.places();
  const ended = store.ended();
  const since = new Date(nowMs() - recentRunMs).toISOString();
  const runs = [...ended.values()]
    .filter((run) => all || run.ended >= since)
    .map((run) => listed(run, run.status, places.get(run.id) ?? null));
  const unreadable: UnreadableRun[] = [];
  for (const id of store.ids()) {
    if (ended.has(id)) continue;
    try {
      runs.push(toListedRun(parts, store.state(id), places));
    } catch (error) {
      if (!(error instanceof ClewError)) throw error;
      unreadable.push({ id, reason: error.message });
    }
  }
  return { runs: runs.sort(newestRunFirst), unreadable };
}

/** The latest run of a bead; undefined when it never had one. */
export function latestRunOf(parts: RunListParts, beadId: string): ListedRun | undefined {
  return listRuns(parts, { all: true }).runs.find(({ bead_id }) => bead_id === beadId);
}

/** What a run was started with. */
export function readPinnedRun(store: Pick<RunStore, "lines">, runId: string): PinnedRun | undefined {
  for (const { line } of store.lines(runId)) if (line.type === "workflow.started") return line.pinned;
  return undefined;
}

interface FollowOptions {
  follow?: boolean | undefined;
  /** Only what follows the event with this number. */
  after?: number | undefined;
  signal?: AbortSignal | undefined;
  /** Returns when the time has passed, or the signal is aborted. */
  sleep: (ms: number, signal?: AbortSignal) => Promise<void>;
}

/** The lines of one run; with `follow`, also those that come until it ends. */
export async function* runLines(
  store: RunStore,
  runId: string,
  { follow = false, after = 0, signal, sleep }: FollowOptions,
): AsyncGenerator<JournalLine> {
  let deliveredTo = 0;
  let isAfter = after <= 0;
  let lastSize = -1;
  for (;;) {
    const size = store.size(runId);
    if (size === lastSize) {
      await sleep(lookEveryMs, signal);
      if (signal?.aborted) return;
      continue;
    }
    lastSize = size;
    // Asked before the lines are read, so that the last ones are not missed.
    const isLast = !follow || isOver(store.state(runId));
    for (const { line, end } of store.lines(runId, deliveredTo)) {
      deliveredTo = end;
      const isNumber = !isAfter && "n" in line && line.n === after;
      isAfter ||= "n" in line && line.n >= after;
      if (isAfter && !isNumber) yield line;
    }
    if (isLast || signal?.aborted) return;
  }
}

/** How a run looks from outside: one that runs is interrupted when no process drives it. */
export function visibleStatus(status: RunStatus, isDriven: boolean): VisibleStatus {
  return status === "running" && !isDriven ? "interrupted" : status;
}

/** The same, looking for its driver only where that matters. */
export function statusNow(store: RunStore, { id, status }: Pick<RunSnapshot, "id" | "status">): VisibleStatus {
  return visibleStatus(status, status !== "running" || store.isDriven(id));
}

export function toListedRun(
  { store, worktrees }: RunListParts,
  state: RunSnapshot,
  places = worktrees.places(),
): ListedRun {
  // Another run may have its place by now.
  const worktree = places.get(state.id) ?? (isOver(state) ? null : state.worktree);
  const status = statusNow(store, state);
  const asking = status === "running" ? (state.permissions?.length ?? 0) : 0;
  return { ...listed(state, status, worktree), ...(asking > 0 && { asking }) };
}

function listed(run: RunSnapshot | EndedRun, status: VisibleStatus, worktree: string | null): ListedRun {
  const { id, bead_id, bead_title, grimoire, progress, started, updated, usage } = run;
  const used = usage && usage.input_tokens + usage.output_tokens > 0 && { usage };
  return { id, bead_id, bead_title, grimoire, status, progress, started, updated, worktree, ...used };
}

type Beginning = Pick<ListedRun, "started" | "id">;

export function newestRunFirst(one: Beginning, other: Beginning): number {
  if (one.started !== other.started) return one.started < other.started ? 1 : -1;
  return one.id < other.id ? 1 : -1;
}

export function isOver({ status }: Pick<RunSnapshot, "status">): boolean {
  return status === "completed" || status === "cancelled";
}

/** Whether no process will ever drive the run again; also when there is no such run. */
export function isRunOver(store: RunStore, runId: string): boolean {
  return !store.exists(runId) || isOver(store.state(runId));
}
