import type { UnreadableRun } from "../../contract/api/run.ts";
import { connectedEngine } from "../../contract/connected.ts";
import { ClewError } from "../../contract/errors.ts";
import type { RunSnapshot } from "../../contract/run-snapshot.ts";
import { recentRunMs } from "../../contract/run.ts";
import type { RunControl } from "../run/control.ts";
import type { Claims, RunStore } from "../run/ports.ts";
import { isOver, readPinnedRun, statusNow } from "../run/read.ts";
import type { RunStarter } from "../run/starter.ts";
import type { DrivenEnd, DriveRunOptions, EndedWork, OpenRun, OpenStatus, ScheduledRuns, RunsNow } from "./ports.ts";

interface Parts {
  store: RunStore;
  starter: RunStarter;
  control: RunControl;
  /** A run that is over holds its bead until the bead says so, too. */
  claims: Pick<Claims, "all">;
  nowMs: () => number;
}

/** Runs for the scheduler, which looks often: what has ended is never read again, what did not change not either. */
export class WatchedRuns implements ScheduledRuns {
  readonly #parts: Parts;
  readonly #endedIds = new Set<string>();
  readonly #cachedStates = new Map<string, { size: number; state: RunSnapshot }>();
  readonly #connected = new Map<string, boolean>();
  #hasLooked = false;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  look(): RunsNow {
    const { store, claims } = this.#parts;
    // Asked first: a run that lets go of its bead meanwhile is looked at once more, and not passed over.
    const holding = new Set(claims.all().flatMap(({ run }) => run ?? []));
    const open: OpenRun[] = [];
    const ended: EndedWork[] = this.#hasLooked ? [] : this.#endedBefore(holding);
    const unreadable: UnreadableRun[] = [];
    for (const id of store.ids()) {
      if (this.#endedIds.has(id)) continue;
      try {
        const state = this.#state(id);
        if (!isOver(state) || holding.has(id)) {
          open.push(this.#openRun(state));
          continue;
        }
        const status = state.status as EndedWork["status"];
        ended.push({ bead_id: state.bead_id, status, ended: state.ended ?? state.updated });
        this.#endedIds.add(id);
        this.#cachedStates.delete(id);
      } catch (error) {
        if (!(error instanceof ClewError)) throw error;
        unreadable.push({ id, reason: error.message });
      }
    }
    this.#hasLooked = true;
    return { open, ended, unreadable };
  }

  /** Of the runs that were over before the first look, the late ones: what was cancelled still counts. */
  #endedBefore(holding: ReadonlySet<string>): EndedWork[] {
    const since = this.#parts.nowMs() - recentRunMs;
    const endedRuns = [...this.#parts.store.ended().values()].filter(({ id }) => !holding.has(id));
    for (const { id } of endedRuns) this.#endedIds.add(id);
    return endedRuns.filter(({ ended }) => Date.parse(ended) >= since);
  }

  start(beadId: string): Promise<{ runId: string; isNew: boolean }> {
    return this.#parts.starter.start({ bead: beadId, variables: {} });
  }

  async drive(runId: string, { from, signal, onLine }: DriveRunOptions): Promise<DrivenEnd> {
    const { control, store } = this.#parts;
    const driving = control.driveOrFollow(runId, { from, signal });
    let next = await driving.next();
    for (; !next.done; next = await driving.next()) {
      if (next.value.kind === "line") onLine(next.value.line);
      if (next.value.kind !== "following") continue;
      await driving.return({ kind: "interrupted" });
      return { kind: "elsewhere" };
    }
    const end = next.value;
    if (end.kind === "interrupted") return end;
    const { waiting } = store.state(runId);
    return { kind: "stopped", status: end.status, message: waiting?.message ?? null, actions: waiting?.actions ?? [] };
  }

  #openRun(state: RunSnapshot): OpenRun {
    const { store } = this.#parts;
    const { id, bead_id, started } = state;
    // A crash may come between a run's end and what follows from it; the next driver of the run makes up for that.
    const status = statusNow(store, isOver(state) ? { id, status: "running" } : state) as OpenStatus;
    const pendingSignalId = store.pendingSignals(id).at(-1)?.id ?? null;
    const isAsking = status === "running" && (state.permissions?.length ?? 0) > 0;
    const isStopped = state.stopped !== null;
    const isConnected = status === "interrupted" && this.#isConnected(id);
    return { id, bead_id, status, started, isStopped, isConnected, isAsking, pendingSignalId };
  }

  /** What a run was started with never changes. */
  #isConnected(id: string): boolean {
    const known = this.#connected.get(id) ?? readPinnedRun(this.#parts.store, id)?.settings.engine === connectedEngine;
    this.#connected.set(id, known);
    return known;
  }

  /** A journal only grows. */
  #state(id: string): RunSnapshot {
    const { store } = this.#parts;
    const size = store.size(id);
    const cached = this.#cachedStates.get(id);
    if (cached?.size === size) return cached.state;
    const state = store.state(id);
    this.#cachedStates.set(id, { size, state });
    return state;
  }
}
