import type { SchedulerEvent, SchedulerStanding } from "../../contract/api/scheduler.ts";
import type { Bead } from "../../contract/bead.ts";
import { ClewError } from "../../contract/errors.ts";
import type { JournalLine } from "../../contract/run-journal.ts";
import { refusalReason } from "./refused-beads.ts";
import { SchedulerMemory } from "./memory.ts";
import { needsDriver, planPicks, type Plan, type Pick } from "./plan.ts";
import type { Changes } from "../daemon/process-ports.ts";
import type { OpenRun, SchedulerParts, RunsNow } from "./ports.ts";

export interface ScheduleOptions {
  /** Stops when nothing is ready or running any more. */
  once: boolean;
  /** Ends the steps at hand; their runs are interrupted. */
  signal: AbortSignal;
  tell: (event: SchedulerEvent) => void;
  /** Every line of the runs that are driven here, as it is written. */
  onLine: (runId: string, line: JournalLine) => void;
}

const lookEveryMs = 1_000;
/** While nothing is at hand, and the system tells of what changes. Deferred beads become ready without a change. */
const quietLookMs = 10_000;
/** What changes within this time is seen by one look. */
const gatherMs = 100;

/** One scheduler at work, from its first look to its end. */
export class SchedulerWatch {
  readonly #parts: SchedulerParts;
  readonly #options: ScheduleOptions;
  readonly #memory: SchedulerMemory;
  /** What is being worked on, by bead: a bead has one run. */
  readonly #working = new Map<string, Promise<void>>();
  readonly #reportedUnreadable = new Set<string>();
  /** Beads of which the inbox says that they could not be started; undefined before the first look. */
  #refused: Set<string> | undefined;
  #hasOpened = false;
  #hasReportedIdle = false;
  #trouble: { error: unknown; message: string } | undefined;
  #hasNews = false;
  /** Something changed since the last look began. */
  #hasChanged = false;
  #isQuiet = false;
  #wakeUp = (): void => undefined;

  constructor(parts: SchedulerParts, options: ScheduleOptions) {
    this.#parts = parts;
    this.#options = options;
    this.#memory = new SchedulerMemory(parts.time.elapsedMs, parts.surroundings, options.tell);
  }

  /** Goes on until the signal, or with `once` until nothing is left that it could do. No failure of a bead or a run ends it. */
  async toItsEnd(): Promise<void> {
    const { once, signal, tell } = this.#options;
    const onAbort = (): void => this.#news();
    signal.addEventListener("abort", onAbort);
    const changes = once ? undefined : this.#parts.changes();
    if (changes) void this.#follow(changes);
    let heldBack = 0;
    try {
      while (!signal.aborted) {
        this.#hasNews = false;
        this.#hasChanged = false;
        const plan = await this.#look();
        heldBack = plan?.heldBack ?? heldBack;
        if (once && this.#isDone(plan)) break;
        this.#isQuiet = (changes?.isWatched && plan && isQuiet(plan)) ?? false;
        await this.#rest();
      }
      if (this.#working.size > 0) tell({ type: "scheduler.stopping", driven: this.#working.size });
    } finally {
      signal.removeEventListener("abort", onAbort);
      changes?.close();
      await Promise.all(this.#working.values());
    }
    const standing = standingOf(this.#parts.runs.look().open, heldBack);
    tell({ type: "scheduler.closed", ...standing });
  }

  /** Sees what there is and begins what can begin. Undefined when it cannot be seen, which is told. */
  async #look(): Promise<Plan | undefined> {
    const { limit, runs } = this.#parts;
    try {
      // Runs before beads: a run that ends in between has its bead closed by then, and is not begun anew.
      const runsNow = runs.look();
      this.#tellUnreadable(runsNow);
      const { ready, trouble } = await this.#ready();
      this.#memory.see(runsNow, trouble ? undefined : ready);
      if (!trouble) this.#dropRefused(ready);
      const plan = planPicks(
        { limit, open: runsNow.open, ready, working: new Set(this.#working.keys()) },
        this.#memory,
      );
      this.#open(runsNow, ready, plan);
      if (!this.#options.signal.aborted) for (const pick of plan.picks) this.#begin(pick);
      if (trouble) this.#tellTrouble(trouble.error);
      else {
        this.#trouble = undefined;
        this.#tellIdle(runsNow, plan);
      }
      return trouble ? undefined : plan;
    } catch (error) {
      this.#tellTrouble(error);
      return undefined;
    }
  }

  /** Runs go on although beads cannot be read. */
  async #ready(): Promise<{ ready: Bead[]; trouble?: { error: unknown } }> {
    try {
      return { ready: await this.#parts.ready() };
    } catch (error) {
      return { ready: [], trouble: { error } };
    }
  }

  /** With `once`, the scheduler does not wait for what may never become readable. */
  #isDone(plan: Plan | undefined): boolean {
    // As it was at the look: what has ended since may have made others ready.
    if (plan) return plan.isIdle && plan.drivenElsewhere === 0;
    if (this.#trouble && this.#working.size === 0) throw this.#trouble.error;
    return false;
  }

  #begin(pick: Pick): void {
    const beadId = pick.kind === "start" ? pick.bead.id : pick.run.bead_id;
    const work = (pick.kind === "start" ? this.#start(pick.bead) : this.#resume(pick.run)).finally(() => {
      this.#working.delete(beadId);
      this.#news();
    });
    this.#working.set(beadId, work);
  }

  async #start(bead: Bead): Promise<void> {
    const { runs } = this.#parts;
    const { signal, tell } = this.#options;
    const pick: Pick = { kind: "start", bead };
    const mark = this.#memory.markOf(pick);
    let runId: string;
    try {
      const started = await runs.start(bead.id);
      if (!started.isNew) {
        // Another process was faster. The next look sees that run; should it not, the bead is not tried without end.
        this.#memory.failed(pick);
        return;
      }
      ({ runId } = started);
    } catch (error) {
      await this.#keepRefused(bead.id, error);
      this.#fail(pick, null, error, mark);
      return;
    }
    this.#memory.succeeded(pick);
    this.#refused?.delete(bead.id);
    tell({ type: "scheduler.started", bead_id: bead.id, run_id: runId, title: bead.title });
    if (signal.aborted) return;
    await this.#drive({ kind: "resume", run: startedRun(runId, bead.id) }, "beginning");
  }

  async #resume(run: OpenRun): Promise<void> {
    this.#options.tell({ type: "scheduler.resumed", bead_id: run.bead_id, run_id: run.id, was: run.status });
    await this.#drive({ kind: "resume", run }, "now");
  }

  /** Never throws. */
  async #drive(pick: Extract<Pick, { kind: "resume" }>, from: "beginning" | "now"): Promise<void> {
    const { signal, tell, onLine } = this.#options;
    const { id: run_id, bead_id } = pick.run;
    this.#hasReportedIdle = false;
    try {
      const end = await this.#parts.runs.drive(run_id, { from, signal, onLine: (line) => onLine(run_id, line) });
      this.#memory.succeeded(pick);
      if (end.kind === "interrupted") tell({ type: "scheduler.interrupted", bead_id, run_id });
      if (end.kind !== "stopped") return;
      const { status, message, actions } = end;
      tell({ type: "scheduler.rested", bead_id, run_id, status, message, actions });
    } catch (error) {
      this.#fail(pick, run_id, error);
    }
  }

  /** For the inbox. What cannot be written there was told all the same. */
  async #keepRefused(bead: string, error: unknown): Promise<void> {
    const reason = refusalReason(error);
    if (!reason) return;
    this.#refused?.add(bead);
    await this.#parts.refused.put({ bead, ...reason }).catch(() => undefined);
  }

  /** Drops the reasons for beads that would not be started any more. */
  #dropRefused(ready: Bead[]): void {
    this.#refused ??= new Set(this.#parts.refused.all().map(({ bead }) => bead));
    if (this.#refused.size === 0) return;
    const readyIds = new Set(ready.map(({ id }) => id));
    for (const bead of this.#refused) {
      if (readyIds.has(bead) || this.#working.has(bead)) continue;
      this.#parts.refused.drop(bead);
      this.#refused.delete(bead);
    }
  }

  #fail(pick: Pick, run_id: string | null, error: unknown, mark?: string): void {
    const { failures, waitMs: wait_ms } = this.#memory.failed(pick, mark);
    const bead_id = pick.kind === "start" ? pick.bead.id : pick.run.bead_id;
    this.#options.tell({ type: "scheduler.backed_off", bead_id, run_id, ...wordsOf(error), failures, wait_ms });
  }

  /** Waits for the next look: while nothing is at hand, until something changes. */
  async #rest(): Promise<void> {
    const pause = (ms: number): Promise<void> =>
      this.#parts.time.pause(ms, new Promise((wake) => (this.#wakeUp = wake)));
    if (this.#hasNews) return;
    if (!this.#isQuiet) return pause(lookEveryMs);
    if (!this.#hasChanged) await pause(quietLookMs);
    if (this.#hasChanged && !this.#hasNews) await pause(gatherMs);
  }

  /** Notes what changes, until the signal. */
  async #follow(changes: Changes): Promise<void> {
    const { signal } = this.#options;
    while (!signal.aborted) {
      await changes.next(signal);
      this.#hasChanged = true;
      if (this.#isQuiet) this.#wakeUp();
      // The next change may be noted with the next look.
      await this.#parts.time.pause(gatherMs, Promise.race([]));
    }
  }

  #news(): void {
    this.#hasNews = true;
    this.#wakeUp();
  }

  #open({ open }: RunsNow, ready: Bead[], { drivenElsewhere: driven_elsewhere }: Plan): void {
    if (this.#hasOpened) return;
    this.#hasOpened = true;
    const beadsWithRun = new Set(open.map(({ bead_id }) => bead_id));
    this.#options.tell({
      type: "scheduler.opened",
      limit: this.#parts.limit,
      ready: ready.filter(({ id }) => !beadsWithRun.has(id)).length,
      to_resume: open.filter(needsDriver).length,
      driven_elsewhere,
    });
  }

  /** Once, until something was worked on again. */
  #tellIdle({ open }: RunsNow, { isIdle, heldBack }: Plan): void {
    if (this.#hasReportedIdle || this.#options.once || !isIdle) return;
    this.#hasReportedIdle = true;
    this.#options.tell({ type: "scheduler.idle", ...standingOf(open, heldBack) });
  }

  /** Once, until it is another. */
  #tellTrouble(error: unknown): void {
    const words = wordsOf(error);
    if (this.#trouble?.message !== words.message) this.#options.tell({ type: "scheduler.trouble", ...words });
    this.#trouble = { error, message: words.message };
  }

  #tellUnreadable({ unreadable }: RunsNow): void {
    for (const { id, reason } of unreadable) {
      if (this.#reportedUnreadable.has(id)) continue;
      this.#reportedUnreadable.add(id);
      this.#options.tell({ type: "scheduler.trouble", message: reason, hint: null });
    }
  }
}

/** Nothing can begin, or end unseen, before something changes. */
function isQuiet({ isIdle, drivenElsewhere, heldBack }: Plan): boolean {
  return isIdle && drivenElsewhere + heldBack === 0;
}

/** A run that this scheduler has just started. */
function startedRun(id: string, bead_id: string): OpenRun {
  return { id, bead_id, status: "interrupted", started: "", isStopped: false, isAsking: false, pendingSignalId: null };
}

function wordsOf(error: unknown): { message: string; hint: string | null } {
  if (error instanceof ClewError) return { message: error.message, hint: error.hint };
  return { message: `unexpected: ${error instanceof Error ? error.message : String(error)}`, hint: null };
}

function standingOf(open: OpenRun[], backed_off: number): SchedulerStanding {
  const count = (status: OpenRun["status"]): number => open.filter((run) => run.status === status).length;
  return {
    blocked: count("blocked"),
    failed: count("failed"),
    pending_merge: count("pending_merge"),
    interrupted: count("interrupted"),
    stopped: open.filter(({ isStopped, pendingSignalId }) => isStopped && pendingSignalId === null).length,
    backed_off,
  };
}
