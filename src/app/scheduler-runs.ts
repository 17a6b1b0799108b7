import { ClewError } from "../contract/errors.ts";
import type { RunSnapshot } from "../contract/run-journal.ts";
import type { RunStore } from "./run-ports.ts";
import { isOver, type UnreadableRun } from "./run-reading.ts";
import type { Runs } from "./runs.ts";
import type {
  DrivenEnd,
  DriveRunOptions,
  EndedRun,
  OpenRun,
  OpenStatus,
  ScheduledRuns,
  SeenRuns,
} from "./scheduler-ports.ts";

interface Parts {
  runs: Pick<Runs, "start" | "goOn" | "shown">;
  store: RunStore;
  /** Runs that hold a bead. One that is over lets go of it once the bead tells so, too. */
  holding: () => string[];
  /** What a person said last to a run, as long as nobody has taken it up. */
  wordFor: (runId: string) => string | null;
}

/** Runs for the scheduler, which looks often: what has ended is never read again, what did not change not either. */
export class WatchedRuns implements ScheduledRuns {
  readonly #parts: Parts;
  readonly #over = new Set<string>();
  readonly #known = new Map<string, { size: number; state: RunSnapshot }>();
  #hasLooked = false;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  look(): SeenRuns {
    const { store } = this.#parts;
    // Asked first: whoever lets go meanwhile is looked at once more, and not passed over.
    const holding = new Set(this.#parts.holding());
    const open: OpenRun[] = [];
    const ended: EndedRun[] = [];
    const unreadable: UnreadableRun[] = [];
    const recent = new Set(this.#hasLooked ? [] : store.recentIds());
    for (const id of store.ids()) {
      if (this.#over.has(id)) continue;
      try {
        // At the first look there may be many that ended long ago; of the others, what was cancelled still counts.
        const isLongOver = !this.#hasLooked && !holding.has(id) && !recent.has(id) && store.hasEnded(id);
        const state = isLongOver ? undefined : this.#state(id);
        if (state && (!isOver(state) || holding.has(id))) {
          open.push(this.#seen(state));
          continue;
        }
        if (state) {
          const status = state.status as EndedRun["status"];
          ended.push({ bead_id: state.bead_id, status, ended: state.ended ?? state.updated });
        }
        this.#over.add(id);
        this.#known.delete(id);
      } catch (error) {
        if (!(error instanceof ClewError)) throw error;
        unreadable.push({ id, reason: error.message });
      }
    }
    this.#hasLooked = true;
    return { open, ended, unreadable };
  }

  start(beadId: string): Promise<{ runId: string; isNew: boolean }> {
    return this.#parts.runs.start({ beadId, variables: {} });
  }

  async drive(runId: string, { from, signal, onLine }: DriveRunOptions): Promise<DrivenEnd> {
    const stopFollowing = new AbortController();
    const end = await this.#parts.runs.goOn(runId, {
      from,
      onLine,
      onFollow: () => stopFollowing.abort(),
      signal: AbortSignal.any([signal, stopFollowing.signal]),
    });
    if (stopFollowing.signal.aborted) return { kind: "elsewhere" };
    if (end.kind === "interrupted") return end;
    const { waiting } = this.#parts.store.state(runId);
    const { status } = end;
    return { kind: "rests", status, message: waiting?.message ?? null, actions: waiting?.actions ?? [] };
  }

  #seen(state: RunSnapshot): OpenRun {
    const { runs, wordFor } = this.#parts;
    const { id, bead_id, started } = state;
    // A crash may come between a run's end and what follows from it; whoever goes on with the run makes up for that.
    const status = runs.shown(id, isOver(state) ? "running" : state.status) as OpenStatus;
    return { id, bead_id, status, started, isStopped: state.stopped !== null, word: wordFor(id) };
  }

  /** A journal only grows. */
  #state(id: string): RunSnapshot {
    const { store } = this.#parts;
    const size = store.size(id);
    const known = this.#known.get(id);
    if (known?.size === size) return known.state;
    const state = store.state(id);
    this.#known.set(id, { size, state });
    return state;
  }
}
