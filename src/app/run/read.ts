import type { ListedRun, UnreadableRun } from "../../contract/api/run.ts";
import { ClewError } from "../../contract/errors.ts";
import type { JournalLine } from "../../contract/run-journal.ts";
import type { EndedRun, RunSnapshot } from "../../contract/run-snapshot.ts";
import type { VisibleStatus } from "../../contract/run.ts";
import type { PinnedRun } from "../../contract/pinned-run.ts";
import { findRun } from "./find.ts";
import type { RunStore, RunWorktrees } from "./ports.ts";

interface Parts {
  store: RunStore;
  worktrees: Pick<RunWorktrees, "places">;
  /** The bead that is meant by a name, when it is one. Throws when it was deleted. */
  beadNamed: (name: string) => string | undefined;
  nowMs: () => number;
  /** Returns when the time has passed, or the signal is aborted. */
  sleep: (ms: number, signal?: AbortSignal) => Promise<void>;
}

export interface ListedRuns {
  runs: ListedRun[];
  unreadable: UnreadableRun[];
}

/** Runs that ended longer ago are listed only when they are asked for. */
const lateMs = 7 * 24 * 3_600_000;
const lookEveryMs = 100;

/** Looking at runs. Nothing here writes to a run or takes one up. */
export class RunReading {
  readonly #parts: Parts;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** Newest first. Runs that ended over a week ago only with `all`. */
  list({ all = false } = {}): ListedRuns {
    const { store, nowMs, worktrees } = this.#parts;
    const places = worktrees.places();
    const ended = store.ended();
    const late = nowMs() - lateMs;
    const runs = [...ended.values()]
      .filter((run) => all || Date.parse(run.ended) >= late)
      .map((run) => listed(run, run.status, places.get(run.id) ?? null));
    const unreadable: UnreadableRun[] = [];
    for (const id of store.ids()) {
      if (ended.has(id)) continue;
      try {
        runs.push(this.listed(store.state(id), places));
      } catch (error) {
        if (!(error instanceof ClewError)) throw error;
        unreadable.push({ id, reason: error.message });
      }
    }
    return { runs: runs.sort(newestFirst), unreadable };
  }

  isUnfinished(runId: string): boolean {
    return !isOver(this.#parts.store.state(runId));
  }

  /** What a run was started with. */
  pinned(runId: string): PinnedRun | undefined {
    for (const { line } of this.#parts.store.lines(runId)) if (line.type === "workflow.started") return line.pinned;
    return undefined;
  }

  /** The lines of one run; with `follow`, also those that come until it ends. */
  async *lines(
    runId: string,
    { follow = false, signal }: { follow?: boolean | undefined; signal?: AbortSignal | undefined } = {},
  ): AsyncGenerator<JournalLine> {
    const { store, sleep } = this.#parts;
    let deliveredTo = 0;
    for (;;) {
      // Asked before the lines are read, so that the last ones are not missed.
      const isLast = !follow || isOver(store.state(runId));
      for (const { line, end } of store.lines(runId, deliveredTo)) {
        deliveredTo = end;
        yield line;
      }
      if (isLast || signal?.aborted) return;
      await sleep(lookEveryMs, signal);
    }
  }

  /** A run by its id, the beginning of one, its bead, or `latest`. */
  find(text: string): string {
    const { store, beadNamed } = this.#parts;
    return findRun(text, { store, beadNamed, list: () => this.list({ all: true }) });
  }

  /** How a run looks from outside. */
  shown(id: string, status: RunSnapshot["status"]): VisibleStatus {
    return status === "running" && !this.#parts.store.isDriven(id) ? "interrupted" : status;
  }

  listed(state: RunSnapshot, places = this.#parts.worktrees.places()): ListedRun {
    // The place that it was given may be another run's by now.
    const worktree = places.get(state.id) ?? (isOver(state) ? null : state.worktree);
    return listed(state, this.shown(state.id, state.status), worktree);
  }
}

function listed(run: RunSnapshot | EndedRun, status: VisibleStatus, worktree: string | null): ListedRun {
  const { id, bead_id, bead_title, grimoire, progress, started, updated } = run;
  return { id, bead_id, bead_title, grimoire, status, progress, started, updated, worktree };
}

type Beginning = Pick<ListedRun, "started" | "id">;

export function newestFirst(one: Beginning, other: Beginning): number {
  if (one.started !== other.started) return one.started < other.started ? 1 : -1;
  return one.id < other.id ? 1 : -1;
}

export function isOver({ status }: Pick<RunSnapshot, "status">): boolean {
  return status === "completed" || status === "cancelled";
}
