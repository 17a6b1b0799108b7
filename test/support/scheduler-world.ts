import { byUrgency } from "../../src/bead/urgency.ts";
import type { Bead } from "../../src/contract/bead.ts";
import type {
  DrivenEnd,
  DriveRunOptions,
  EndedWork,
  OpenRun,
  ScheduledRuns,
  SchedulerParts,
  RunsNow,
} from "../../src/app/scheduler/ports.ts";
import { schedulerApi } from "../../src/app/scheduler/api.ts";
import type { SchedulerEvent, SchedulerStanding } from "../../src/contract/api/scheduler.ts";

/** How a bead's runs go. */
export interface Job {
  bead: Bead;
  /** So many starts are refused first, and so many drivers die first. */
  startFailures?: number;
  driverFailures?: number;
  takesMs?: number;
  ends?: "completed" | "blocked" | "cancelled";
  /** When the bead comes to be. */
  fromMs?: number;
  /** The bead stays as it is although its run completed. */
  staysOpen?: boolean;
}

interface PlayedRun extends OpenRun {
  isOver: boolean;
}

/** Beads, runs and a clock that a test turns: time passes only when everybody waits. */
export class World implements ScheduledRuns {
  nowMs = 0;
  readonly runs = new Map<string, PlayedRun>();
  readonly events: (SchedulerEvent & { atMs: number })[] = [];
  /** Beads in the order in which they were tried. */
  readonly tried: string[] = [];
  /** Beads whose runs are started or driven here now. */
  readonly busy = new Set<string>();
  mostAtOnce = 0;
  isHeld = false;
  /** Whether the system tells of changes; a test makes one by `change`. */
  areChangesWatched = false;
  change = (): void => undefined;
  looks = 0;
  beadsFault: Error | undefined;
  /** Beads of which the inbox says that they could not be started. */
  readonly refused = new Set<string>();
  /** What a bead's start depends on, beside the bead. */
  surroundings = "";
  /** What the last look was given. */
  lastReady: Bead[] = [];
  readonly #jobs: Map<string, Required<Job>>;
  readonly #limit: number;
  #timers: { atMs: number; ring: () => void }[] = [];
  #ended: EndedWork[] = [];

  constructor(limit: number, jobs: Job[]) {
    this.#limit = limit;
    const usual = { startFailures: 0, driverFailures: 0, takesMs: 100, ends: "completed", fromMs: 0 } as const;
    this.#jobs = new Map(jobs.map((job) => [job.bead.id, { ...usual, staysOpen: false, ...job }]));
  }

  job(beadId: string): Required<Job> {
    const job = this.#jobs.get(beadId);
    if (!job) throw new Error(`no bead ${beadId}`);
    return job;
  }

  /** A run that was there before, or that somebody else began. */
  addRun(beadId: string, status: OpenRun["status"]): PlayedRun {
    const run = {
      id: `run-${this.runs.size + 1}`,
      bead_id: beadId,
      status,
      pendingSignalId: null,
      isAsking: false,
      isStopped: false,
      isOver: false,
    };
    const added: PlayedRun = { ...run, started: String(this.runs.size).padStart(4, "0") };
    this.runs.set(run.id, added);
    return added;
  }

  /** A run is over, in whatever process it was driven. */
  end(run: PlayedRun, status: EndedWork["status"] = "completed"): void {
    run.isOver = true;
    this.#ended.push({ bead_id: run.bead_id, status, ended: "2026-11-16T10:00:00.000Z" });
  }

  /** Does something when the time has come. */
  at(atMs: number, ring: () => void): void {
    this.#timers.push({ atMs, ring });
  }

  /** Lets the scheduler work to its end, or until a time. */
  async play({ once = true, untilMs = Infinity } = {}): Promise<SchedulerStanding> {
    const stop = new AbortController();
    if (untilMs !== Infinity) this.at(untilMs, () => stop.abort());
    const state: { end?: Promise<SchedulerStanding>; isOver: boolean } = { isOver: false };
    state.end = this.#work(once, stop.signal);
    state.end.then(
      () => (state.isOver = true),
      () => (state.isOver = true),
    );
    for (;;) {
      await new Promise((done) => setImmediate(done));
      if (state.isOver) return state.end;
      this.#timers.sort((one, other) => one.atMs - other.atMs);
      const next = this.#timers.shift();
      if (!next) throw new Error("everybody waits for ever");
      this.nowMs = Math.max(this.nowMs, next.atMs);
      next.ring();
    }
  }

  async #work(once: boolean, signal: AbortSignal): Promise<SchedulerStanding> {
    let standing: SchedulerStanding | undefined;
    for await (const news of await schedulerApi(this.#parts()).run({ once }, { signal })) {
      if ("n" in news) continue;
      const { at: _, ...event } = news;
      this.events.push({ ...event, atMs: this.nowMs });
      if (event.type === "scheduler.closed") standing = event;
    }
    return standing!;
  }

  told<Type extends SchedulerEvent["type"]>(
    type: Type,
  ): (Extract<SchedulerEvent, { type: Type }> & { atMs: number })[] {
    return this.events.filter((event) => event.type === type) as never;
  }

  look(): RunsNow {
    this.looks++;
    const open = [...this.runs.values()].filter(({ isOver }) => !isOver);
    const ended = this.#ended;
    this.#ended = [];
    return { open: open.map((run) => ({ ...run })), ended, unreadable: [] };
  }

  async start(beadId: string): Promise<{ runId: string; isNew: boolean }> {
    this.tried.push(beadId);
    const job = this.job(beadId);
    const working = [...this.runs.values()].find((run) => run.bead_id === beadId && !run.isOver);
    if (working) return { runId: working.id, isNew: false };
    return this.#busyWith(beadId, async () => {
      await this.#pass(1);
      if (job.startFailures-- > 0) throw new Error(`cannot start ${beadId}`);
      this.refused.delete(beadId);
      return { runId: this.addRun(beadId, "interrupted").id, isNew: true };
    });
  }

  async drive(runId: string, { signal }: DriveRunOptions): Promise<DrivenEnd> {
    const run = this.runs.get(runId)!;
    const job = this.job(run.bead_id);
    if (run.status === "running") return { kind: "elsewhere" };
    return this.#busyWith(run.bead_id, async () => {
      run.status = "running";
      run.pendingSignalId = null;
      await this.#pass(job.takesMs, signal);
      run.status = "interrupted";
      if (signal.aborted) return { kind: "interrupted" };
      if (job.driverFailures-- > 0) throw new Error(`the driver of ${run.bead_id} died`);
      if (job.ends === "blocked") {
        run.status = "blocked";
        // Once a person has helped, it goes well.
        job.ends = "completed";
        return { kind: "stopped", status: "blocked", message: "exited with 1", actions: [`clew run retry ${runId}`] };
      }
      this.end(run, job.ends);
      return { kind: "stopped", status: job.ends, message: null, actions: [] };
    });
  }

  #parts(): SchedulerParts {
    return {
      limit: this.#limit,
      ready: () => {
        if (this.beadsFault) throw this.beadsFault;
        return (this.lastReady = this.#ready());
      },
      runs: this,
      refused: {
        all: () => [...this.refused].map((id) => ({ bead: id, code: "internal", message: "", hint: "", at: "" })),
        put: async ({ bead: id }) => void this.refused.add(id),
        drop: (id) => void this.refused.delete(id),
      },
      surroundings: () => this.surroundings,
      time: {
        elapsedMs: () => this.nowMs,
        nowMs: () => this.nowMs,
        pause: (ms, sooner) => Promise.race([this.#pass(ms), sooner]),
      },
      changes: () => ({
        isWatched: this.areChangesWatched,
        next: (signal) =>
          new Promise((resolve) => {
            this.change = resolve;
            signal?.addEventListener("abort", () => resolve());
          }),
        close: () => undefined,
      }),
      hold: () => {
        if (this.isHeld) throw new Error("another scheduler is at work");
        this.isHeld = true;
        return () => (this.isHeld = false);
      },
    };
  }

  #ready(): Bead[] {
    const done = [...this.runs.values()].filter(
      ({ bead_id, isOver }) => isOver && this.job(bead_id).ends === "completed" && !this.job(bead_id).staysOpen,
    );
    const closed = new Set(done.map(({ bead_id }) => bead_id));
    const there = [...this.#jobs.values()].filter((job) => job.fromMs <= this.nowMs && !closed.has(job.bead.id));
    return byUrgency(there.map((job) => job.bead));
  }

  /** What must hold at every moment is looked at here. */
  async #busyWith<T>(beadId: string, work: () => Promise<T>): Promise<T> {
    if (this.busy.has(beadId)) throw new Error(`${beadId} is worked on twice at once`);
    this.busy.add(beadId);
    const elsewhere = [...this.runs.values()].filter(
      ({ bead_id, status, isOver }) => status === "running" && !isOver && !this.busy.has(bead_id),
    );
    this.mostAtOnce = Math.max(this.mostAtOnce, this.busy.size + elsewhere.length);
    try {
      return await work();
    } finally {
      this.busy.delete(beadId);
    }
  }

  #pass(ms: number, signal?: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const done = (): void => {
        signal?.removeEventListener("abort", done);
        resolve();
      };
      this.at(this.nowMs + ms, done);
      signal?.addEventListener("abort", done);
    });
  }
}

export function bead(id: string, priority = 2, more: Partial<Bead> = {}): Bead {
  return { id, title: `Bead ${id}`, status: "open", priority, ...more };
}
