import { ClewError } from "../contract/errors.ts";
import { allSteps, type Grimoire, type Json } from "../contract/grimoire.ts";
import type { JournalLine, RunEvent, RunSnapshot } from "../contract/run-journal.ts";
import type { IterationSummary, PinnedRun, RunSettings, ShownStatus, Signal, StepAddress } from "../contract/run.ts";
import { nearest } from "../contract/suggest.ts";
import type { Handlers } from "../run/handlers.ts";
import type { DriveEnd, RunHost } from "../run/run-host.ts";
import { RunSteps, type RunStep } from "../run/run-steps.ts";
import { sessionId } from "../session/session-id.ts";
import type { RunDefinition } from "./grimoires.ts";
import type { Claims, RunStore } from "./run-ports.ts";
import type { RunSessions } from "./run-sessions.ts";

export interface RunRequest {
  beadId: string;
  /** Its name or path; the bead decides when absent. */
  grimoire?: string;
  engine?: string;
  variables: Record<string, Json>;
}

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
  worktree: string;
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
  current: StepAddress | null;
  running_ms: number;
  usage: RunSnapshot["usage"];
  steps: RunStep[];
  blocked_reason?: string;
  message?: string;
  blocked_context?: object;
  iteration_summaries?: IterationSummary[];
  actions?: string[];
  journal: string;
}

export interface GoOnOptions {
  /** From where in the journal lines are told: its beginning, or only what is new. */
  from: "beginning" | "now";
  onLine?: (line: JournalLine) => void;
  /** Told once, when another process drives the run and this one only looks on. */
  onFollow?: () => void;
  /** Stops driving or following. */
  signal?: AbortSignal;
}

interface Parts {
  host: RunHost;
  store: RunStore;
  claims: Claims;
  handlers: Handlers;
  define: (target: string | undefined, beadId: string, variables: Record<string, Json>) => Promise<RunDefinition>;
  settings: RunSettings;
  engines: readonly string[];
  sessions: RunSessions;
  /** Where steps work, and what the main checkout stands at. */
  surroundings: () => Pick<PinnedRun, "base" | "target" | "folder">;
  toAscii: () => Promise<(text: string) => string>;
  nowMs: () => number;
  prepare: () => void;
  /** Throws when this process cannot drive the run: a step of that very run, or nowhere to put its files. */
  refuseUnfit: (runId?: string) => void;
  sleep: (ms: number) => Promise<void>;
  /** Replaces secrets in every text of a value; what holds none is given back as it is. */
  redact: <T>(value: T) => T;
}

/** The state of a run that ended is kept this long; its journal stays. */
const keepStateMs = 7 * 24 * 3_600_000;
const lookEveryMs = 100;

/** Runs, for every front end: started, gone on with, told something, looked at. */
export class Runs {
  readonly #parts: Parts;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** Starts a run on a bead, or gives the one that works on it already. It is on disk when this returns. */
  async start({ beadId, grimoire, engine, variables }: RunRequest): Promise<{ runId: string; isNew: boolean }> {
    const { host, store, claims, define, settings, surroundings, prepare, sessions } = this.#parts;
    const pin = async (): Promise<PinnedRun> => ({
      ...(await define(grimoire, beadId, variables)),
      variables,
      settings: engine === undefined ? settings : { ...settings, engine },
      ...surroundings(),
    });
    const claimed = await claims.claim(beadId, {
      isOpen: (runId) => store.exists(runId) && !isOver(store.state(runId)),
      find: () => store.recentIds().find((id) => this.#isOpenFor(id, beadId)),
      start: async () => {
        const pinned = await pin();
        this.#refuseImpossible(pinned);
        const kept = this.#withoutSecrets(pinned);
        this.#parts.refuseUnfit();
        prepare();
        return host.start(await this.#freeId(beadId), kept);
      },
    });
    if (claimed.isNew) await sessions.begin(claimed.runId);
    return claimed;
  }

  /**
   * Redacted once, here, so that a run that is resumed sees the very same values. Scripts and variables that would not be
   * what their author wrote are refused instead.
   */
  #withoutSecrets(pinned: PinnedRun): PinnedRun {
    const { redact } = this.#parts;
    const { grimoire, variables, bead, spells } = pinned;
    if (redact(bead.id) !== bead.id) throw secretIn("invalid_input", `the id of bead ${bead.id}`);
    for (const step of allSteps(grimoire.steps)) {
      const { steps: _, ...own } = { steps: [], ...step };
      if (redact(own) !== own) throw secretIn("invalid_grimoire", `step ${step.name} of ${grimoire.name}`);
    }
    this.#refuseSecrets(variables, "--var");
    return { ...pinned, bead: redact(bead), spells: redact(spells) };
  }

  #refuseSecrets(values: Record<string, Json>, flag: string): void {
    for (const [name, value] of Object.entries(values)) {
      const named = JSON.stringify({ [name]: value });
      const redacted = JSON.stringify(this.#parts.redact({ [name]: value }));
      if (redacted !== named) throw secretIn("invalid_input", `${flag} ${name}`);
    }
  }

  /** A run and its session have one id. */
  async #freeId(beadId: string): Promise<string> {
    const { nowMs, toAscii, sessions } = this.#parts;
    const wanted = sessionId(new Date(nowMs()).toISOString(), (await toAscii())(beadId));
    let id = wanted;
    for (let number = 2; sessions.isTaken(id); number++) id = `${wanted}-${number}`;
    return id;
  }

  /**
   * Drives a run until it ends, waits or is interrupted; while another process drives it, follows that one, and takes
   * over if it dies.
   */
  async goOn(
    runId: string,
    { from, onLine, onFollow, signal }: GoOnOptions,
  ): Promise<Exclude<DriveEnd, { kind: "busy" }>> {
    const { host, store, handlers, sessions, sleep } = this.#parts;
    this.#parts.refuseUnfit(runId);
    let told = from === "beginning" ? 0 : store.size(runId);
    let isOwn = false;
    const catchUp = (): void => {
      for (const { line, end } of store.lines(runId, told)) {
        told = end;
        onLine?.(line);
      }
    };
    const session = sessions.of(runId);
    try {
      for (let tries = 0; ; tries++) {
        const end = await host.drive(runId, {
          handlers,
          ...(signal && { signal }),
          onLine: (line) => {
            // What others wrote before comes first; from then on, all lines are ours.
            if (isOwn) onLine?.(line);
            else catchUp();
            isOwn = true;
            session.add(line);
          },
        });
        if (!isOwn) catchUp();
        if (end.kind !== "busy") {
          if (end.kind === "rests") await this.#settle(runId);
          return end;
        }
        if (tries === 0) onFollow?.();
        if (signal?.aborted) return { kind: "interrupted" };
        await sleep(lookEveryMs);
      }
    } finally {
      await session.close();
    }
  }

  /** Leaves a person's word for the run; it is on disk when this returns. Whoever drives the run takes it up. */
  async say(runId: string, signal: Signal): Promise<void> {
    const { host, store } = this.#parts;
    const { status, waiting } = store.state(runId);
    const refuse = (hint: string): never => {
      throw new ClewError(
        "not_possible_now",
        `run ${runId} is ${this.#shown(runId, status)}: nothing to ${signal.kind}`,
        hint,
      );
    };
    if (status === "completed" || status === "cancelled") refuse("clew run list shows what is going on");
    if (signal.kind === "retry") {
      if (status !== "blocked" && status !== "failed") refuse(`clew run resume ${runId} goes on with it`);
      this.#refuseSecrets(signal.inputs, "--input");
    }
    if ((signal.kind === "approve" || signal.kind === "reject") && status !== "pending_merge") {
      refuse(`clew run show ${runId} tells where it stands`);
    }
    const to = signal.kind === "cancel" || !waiting ? null : { path: waiting.path, attempt: waiting.attempt };
    await host.signal(runId, signal, to);
  }

  /** Newest first. Runs that ended over a week ago only with `all`. */
  list({ all = false } = {}): { runs: ListedRun[]; unreadable: UnreadableRun[] } {
    const { store, nowMs } = this.#parts;
    const runs: ListedRun[] = [];
    const unreadable: UnreadableRun[] = [];
    for (const id of store.ids()) {
      try {
        // What ended long ago is not read as a whole.
        if (nowMs() - store.touchedMs(id) > keepStateMs && store.hasEnded(id)) {
          store.dropState(id);
          if (!all) continue;
        }
        runs.push(this.#listed(store.state(id)));
      } catch (error) {
        if (!(error instanceof ClewError)) throw error;
        unreadable.push({ id, reason: error.message });
      }
    }
    runs.sort((a, b) => (a.started < b.started ? 1 : a.started > b.started ? -1 : a.id < b.id ? 1 : -1));
    return { runs, unreadable };
  }

  show(runId: string): ShownRun {
    const { store } = this.#parts;
    const state = store.state(runId);
    const steps = new RunSteps();
    let pinned: PinnedRun | undefined;
    let context: object | undefined;
    for (const { line } of store.lines(runId)) {
      steps.add(line);
      if (line.type === "workflow.started") ({ pinned } = line);
      if ("actions" in line) context = line.blocked_context;
    }
    const listed = this.#listed(state);
    const { ended, current, running_ms, usage, waiting } = state;
    return {
      ...listed,
      ended,
      session_id: this.#parts.sessions.idOf(runId) ?? null,
      base: pinned?.base ?? null,
      target: pinned?.target ?? null,
      current,
      running_ms,
      usage,
      steps: steps.list(listed.status),
      ...(waiting && {
        blocked_reason: waiting.reason,
        message: waiting.message,
        ...(context && { blocked_context: context }),
        iteration_summaries: waiting.iteration_summaries,
        actions: waiting.actions,
      }),
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
    if (found.length > 1) {
      throw new ClewError(
        "ambiguous_run",
        `${text} is the beginning of several runs: ${found.sort().join(", ")}`,
        "write more of it",
      );
    }
    const meant = nearest(text, [...ids, ...runs.map(({ bead_id }) => bead_id)]);
    throw new ClewError(
      "unknown_run",
      ids.length === 0 ? "there are no runs yet" : `there is no run ${text}`,
      meant === undefined ? "clew run BEAD starts one; clew run list shows them" : `did you mean ${meant}?`,
    );
  }

  #isOpenFor(id: string, beadId: string): boolean {
    try {
      const state = this.#parts.store.state(id);
      return state.bead_id === beadId && !isOver(state);
    } catch {
      return false;
    }
  }

  /** A run that ended lets its bead go. */
  async #settle(runId: string): Promise<void> {
    const state = this.#parts.store.state(runId);
    if (isOver(state)) await this.#parts.claims.release(state.bead_id, runId);
  }

  #listed(state: RunSnapshot): ListedRun {
    const { id, bead_id, bead_title, grimoire, progress, started, updated, worktree } = state;
    const status = this.#shown(id, state.status);
    return { id, bead_id, bead_title, grimoire, status, progress, started, updated, worktree };
  }

  #shown(id: string, status: RunSnapshot["status"]): ShownStatus {
    return status === "running" && !this.#parts.store.isDriven(id) ? "interrupted" : status;
  }

  /** What cannot be done is told before anything is done. */
  #refuseImpossible({ grimoire, settings }: PinnedRun): void {
    const { engines, handlers } = this.#parts;
    const step = [...allSteps(grimoire.steps)].find(({ type }) => type !== "loop" && !handlers[type]);
    if (step) {
      throw new ClewError(
        "not_available",
        `step ${step.name} of ${grimoire.name} is a ${step.type} step, which this version cannot run yet`,
        "clew grimoire preview shows what it would do; a copy in .clew/grimoires/ without that step can run",
      );
    }
    const unknown = enginesOf(grimoire, settings.engine).find((name) => !engines.includes(name));
    if (unknown === undefined) return;
    throw new ClewError(
      "unknown_engine",
      `there is no engine ${unknown} in this version`,
      `there ${engines.length === 1 ? "is" : "are"} ${engines.join(", ")}: clew run BEAD --engine ${engines[0]}`,
    );
  }
}

function secretIn(code: "invalid_grimoire" | "invalid_input", where: string): ClewError {
  return new ClewError(
    code,
    `${where} holds what looks like a secret, and a run would write it down`,
    "put it into the environment, and let the step read it from there: $NAME",
  );
}

function enginesOf({ steps }: Grimoire, fallback: string): string[] {
  return [...allSteps(steps)].flatMap((step) => (step.type === "agent" ? [step.engine ?? fallback] : []));
}

function isOver({ status }: Pick<RunSnapshot, "status">): boolean {
  return status === "completed" || status === "cancelled";
}
