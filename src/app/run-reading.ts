import { idsNamed } from "../bead/find-by-name.ts";
import { ClewError } from "../contract/errors.ts";
import type { JournalLine, RunEvent, RunSnapshot, SignalFile } from "../contract/run-journal.ts";
import type {
  IterationSummary,
  MergeOffer,
  PinnedRun,
  ShownStatus,
  Signal,
  SignalOrigin,
  StepAddress,
} from "../contract/run.ts";
import { nearest } from "../contract/suggest.ts";
import { RunSteps, type RunStep } from "../run/run-steps.ts";
import { ambiguousBead } from "./bead-names.ts";
import type { RunStore, RunWorktrees } from "./run-ports.ts";
import type { RunSessions } from "./run-sessions.ts";

/** A run as lists show it. */
export interface ListedRun {
  id: string;
  bead_id: string;
  bead_title: string;
  grimoire: string;
  status: ShownStatus;
  progress: { done: number; total: number };
  started: string;
  updated: string;
  /** Where the run's own worktree stands; null when it is over and its worktree is gone. */
  worktree: string | null;
}

export interface UnreadableRun {
  id: string;
  reason: string;
}

export type NumberedEvent = RunEvent & { workflow_id: string };

/** A run with all that is known of it. */
export interface ShownRun extends ListedRun {
  ended: string | null;
  session_id: string | null;
  base: string | null;
  target: string | null;
  /** The run's own branch. */
  branch: string | null;
  current: StepAddress | null;
  running_ms: number;
  usage: RunSnapshot["usage"];
  steps: RunStep[];
  blocked_reason?: string;
  message?: string;
  blocked_context?: NonNullable<NonNullable<RunSnapshot["waiting"]>["blocked_context"]>;
  /** What a person is asked to approve. */
  merge?: MergeOffer;
  iteration_summaries?: IterationSummary[];
  actions?: string[];
  /** When and why a person stopped it; null while it is driven, and after a crash. */
  stopped: RunSnapshot["stopped"];
  /** What people said to it, oldest first. */
  signals: ShownSignal[];
  journal: string;
}

export type ShownSignal = Signal & {
  at: string;
  /** Null while nobody has taken it up. */
  taken: boolean | null;
  to: StepAddress | null;
  by: SignalOrigin | null;
};

export interface ReadingParts {
  store: RunStore;
  worktrees: Pick<RunWorktrees, "places">;
  /** The bead that is meant by a name, when it is one. */
  beadNamed: (name: string) => string | undefined;
  sessions: RunSessions;
  nowMs: () => number;
  sleep: (ms: number) => Promise<void>;
}

/** The state of a run that ended is kept this long; its journal stays. */
const keepStateMs = 7 * 24 * 3_600_000;
const lookEveryMs = 100;

/** Looking at runs, for every front end. */
export class RunReading {
  readonly #parts: ReadingParts;

  constructor(parts: ReadingParts) {
    this.#parts = parts;
  }

  /** Newest first. Runs that ended over a week ago only with `all`. */
  list({ all = false } = {}): { runs: ListedRun[]; unreadable: UnreadableRun[] } {
    const { store, nowMs, worktrees } = this.#parts;
    const places = worktrees.places();
    const runs: ListedRun[] = [];
    const unreadable: UnreadableRun[] = [];
    for (const id of store.ids()) {
      try {
        // What ended long ago is not read as a whole.
        if (nowMs() - store.touchedMs(id) > keepStateMs && store.hasEnded(id)) {
          store.dropState(id);
          if (!all) continue;
        }
        runs.push(this.#listed(store.state(id), places));
      } catch (error) {
        if (!(error instanceof ClewError)) throw error;
        unreadable.push({ id, reason: error.message });
      }
    }
    runs.sort((a, b) => (a.started < b.started ? 1 : a.started > b.started ? -1 : a.id < b.id ? 1 : -1));
    return { runs, unreadable };
  }

  isUnfinished(runId: string): boolean {
    return !isOver(this.#parts.store.state(runId));
  }

  /** What a run was started with. */
  pinned(runId: string): PinnedRun | undefined {
    for (const { line } of this.#parts.store.lines(runId)) if (line.type === "workflow.started") return line.pinned;
    return undefined;
  }

  show(runId: string): ShownRun {
    const { store } = this.#parts;
    const state = store.state(runId);
    const steps = new RunSteps();
    let pinned: PinnedRun | undefined;
    let context: ShownRun["blocked_context"];
    let merge: MergeOffer | undefined;
    const signals: ShownSignal[] = [];
    for (const { line } of store.lines(runId)) {
      steps.add(line);
      if (line.type === "run.signal") signals.push(shownSignal(line));
      if (line.type === "workflow.started") ({ pinned } = line);
      if ("actions" in line) ({ blocked_context: context, merge } = line);
    }
    const listed = this.#listed(state, this.#parts.worktrees.places());
    const { ended, current, running_ms, usage, waiting, stopped } = state;
    return {
      ...listed,
      ended,
      session_id: this.#parts.sessions.idOf(runId) ?? null,
      base: pinned?.base ?? null,
      target: pinned?.target ?? null,
      branch: pinned?.worktree?.branch ?? null,
      current,
      running_ms,
      usage,
      steps: steps.list(listed.status),
      ...(waiting && {
        blocked_reason: waiting.reason,
        message: waiting.message,
        ...(context && { blocked_context: context }),
        ...(merge && { merge }),
        iteration_summaries: waiting.iteration_summaries,
        actions: waiting.actions,
      }),
      stopped,
      signals: [...signals, ...store.pendingSignals(runId).map(pendingSignal)].slice(-mostSignals),
      journal: store.path(runId),
    };
  }

  /** The lines of one run; with `follow`, also those that come until it ends. */
  async *lines(
    runId: string,
    { follow = false, signal }: { follow?: boolean; signal?: AbortSignal } = {},
  ): AsyncGenerator<JournalLine> {
    const { store, sleep } = this.#parts;
    let told = 0;
    for (;;) {
      // Asked before the lines are read, so that the last ones are not missed.
      const isLast = !follow || isOver(store.state(runId));
      for (const { line, end } of store.lines(runId, told)) {
        told = end;
        yield line;
      }
      if (isLast || signal?.aborted) return;
      await sleep(lookEveryMs);
    }
  }

  /**
   * Gives a function that reads the events of all runs, in the order of their numbers: all of them at first, then those that
   * came since. A journal that cannot be read is told once, and keeps the others from nobody.
   */
  eventReader(onUnreadable: (unreadable: UnreadableRun) => void): () => NumberedEvent[] {
    const { store } = this.#parts;
    const ends = new Map<string, number>();
    const unreadable = new Set<string>();
    return () => {
      const events: NumberedEvent[] = [];
      for (const id of store.ids()) {
        if (unreadable.has(id)) continue;
        try {
          for (const { line, end } of store.lines(id, ends.get(id))) {
            ends.set(id, end);
            if ("n" in line) events.push({ ...line, workflow_id: id });
          }
        } catch (error) {
          if (!(error instanceof ClewError)) throw error;
          unreadable.add(id);
          onUnreadable({ id, reason: error.message });
        }
      }
      return events.sort((one, other) => one.n - other.n);
    };
  }

  /** A run by its id, the beginning of one, its bead, or `latest`. */
  find(text: string): string {
    const { store } = this.#parts;
    if (text.trim() === "") throw new ClewError("usage", "no run is named", "clew run list shows them");
    if (store.exists(text)) return text;
    const ids = store.ids();
    const isMeant = text === "latest" ? () => true : (id: string) => id.startsWith(text);
    const found = ids.filter(isMeant);
    const [only] = found;
    if (only !== undefined && found.length === 1) return only;
    const { runs } = this.list({ all: true });
    const latest = text === "latest" ? runs[0] : runs.find(({ bead_id }) => bead_id === text);
    if (latest) return latest.id;
    const beads = idsNamed(text, [...new Set(runs.map(({ bead_id }) => bead_id))]);
    if (beads.length === 1) return runs.find(({ bead_id }) => bead_id === beads[0])!.id;
    if (beads.length > 1 && found.length === 0) throw ambiguousBead(text, beads);
    if (found.length > 1) {
      throw new ClewError(
        "ambiguous_run",
        `${text} is the beginning of several runs: ${found.sort().join(", ")}`,
        "write more of it",
      );
    }
    const bead = this.#parts.beadNamed(text);
    if (bead !== undefined) {
      throw new ClewError("unknown_run", `bead ${bead} has no run yet`, `clew run ${bead} starts one`);
    }
    const meant = nearest(text, [...ids, ...runs.map(({ bead_id }) => bead_id)]);
    throw new ClewError(
      "unknown_run",
      ids.length === 0 ? "there are no runs yet" : `there is no run ${text}`,
      meant === undefined ? "clew run BEAD starts one; clew run list shows them" : `did you mean ${meant}?`,
    );
  }

  /** How a run looks from outside. */
  shown(id: string, status: RunSnapshot["status"]): ShownStatus {
    return status === "running" && !this.#parts.store.isDriven(id) ? "interrupted" : status;
  }

  #listed(state: RunSnapshot, places: ReadonlyMap<string, string>): ListedRun {
    const { id, bead_id, bead_title, grimoire, progress, started, updated } = state;
    const status = this.shown(id, state.status);
    // The place that it was given may be another run's by now.
    const worktree = places.get(id) ?? (isOver(state) ? null : state.worktree);
    return { id, bead_id, bead_title, grimoire, status, progress, started, updated, worktree };
  }
}

/** More would not be read; the journal has them all. */
const mostSignals = 100;

function shownSignal({ signal, at, taken, to, by }: Extract<JournalLine, { type: "run.signal" }>): ShownSignal {
  return { ...signal, at: by?.at ?? at, taken, to, by: by ?? null };
}

function pendingSignal({ signal, at, to, by }: SignalFile): ShownSignal {
  return { ...signal, at, taken: null, to, by: by ?? null };
}

export function isOver({ status }: Pick<RunSnapshot, "status">): boolean {
  return status === "completed" || status === "cancelled";
}
