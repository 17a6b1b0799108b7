import { ClewError } from "../contract/errors.ts";
import type { Json } from "../contract/grimoire.ts";
import type { JournalLine } from "../contract/run-journal.ts";
import type { PinnedRun, RunSettings, Signal } from "../contract/run.ts";
import type { Handlers } from "../run/handlers.ts";
import type { DriveEnd, RunHost } from "../run/run-host.ts";
import { sessionId } from "../session/session-id.ts";
import type { RunDefinition } from "./grimoires.ts";
import type { Claims } from "./run-ports.ts";
import { isOver, RunReading, type ReadingParts } from "./run-reading.ts";
import { refuseImpossible, refuseSecrets, withoutSecrets, type RedactValue } from "./run-refusals.ts";

export interface RunRequest {
  beadId: string;
  /** Its name or path; the bead decides when absent. */
  grimoire?: string;
  engine?: string;
  variables: Record<string, Json>;
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

interface Parts extends ReadingParts {
  host: RunHost;
  claims: Claims;
  handlers: Handlers;
  define: (target: string | undefined, beadId: string, variables: Record<string, Json>) => Promise<RunDefinition>;
  settings: RunSettings;
  engines: readonly string[];
  /** Where steps work, and what the main checkout stands at. */
  surroundings: () => Pick<PinnedRun, "base" | "target" | "folder">;
  toAscii: () => Promise<(text: string) => string>;
  prepare: () => void;
  /** Throws when this process cannot drive the run: a step of that very run, or nowhere to put its files. */
  refuseUnfit: (runId?: string) => void;
  redact: RedactValue;
}

const lookEveryMs = 100;

/** Runs, for every front end: started, gone on with, told something, looked at. */
export class Runs extends RunReading {
  readonly #parts: Parts;

  constructor(parts: Parts) {
    super(parts);
    this.#parts = parts;
  }

  /** Starts a run on a bead, or gives the one that works on it already. It is on disk when this returns. */
  async start({ beadId, grimoire, engine, variables }: RunRequest): Promise<{ runId: string; isNew: boolean }> {
    const { host, store, claims, define, settings, surroundings, prepare, sessions, redact } = this.#parts;
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
        refuseImpossible(pinned, this.#parts);
        const kept = withoutSecrets(pinned, redact);
        this.#parts.refuseUnfit();
        prepare();
        return host.start(await this.#freeId(beadId), kept);
      },
    });
    if (claimed.isNew) await sessions.begin(claimed.runId);
    return claimed;
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
    const state = store.state(runId);
    const { status, waiting } = state;
    const refuse = (hint: string): never => {
      throw new ClewError(
        "not_possible_now",
        `run ${runId} is ${this.shown(runId, status)}: nothing to ${signal.kind}`,
        hint,
      );
    };
    if (isOver(state)) refuse("clew run list shows what is going on");
    if (signal.kind === "retry") {
      if (status !== "blocked" && status !== "failed") refuse(`clew run resume ${runId} goes on with it`);
      refuseSecrets(signal.inputs, "--input", this.#parts.redact);
    }
    if ((signal.kind === "approve" || signal.kind === "reject") && status !== "pending_merge") {
      refuse(`clew run show ${runId} tells where it stands`);
    }
    const to = signal.kind === "cancel" || !waiting ? null : { path: waiting.path, attempt: waiting.attempt };
    await host.signal(runId, signal, to);
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
}
