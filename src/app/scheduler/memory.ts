import type { SchedulerEvent } from "../../contract/api/scheduler.ts";
import type { Bead } from "../../contract/bead.ts";
import { BackOff } from "./back-off.ts";
import { needsDriver, type Memory, type Pick } from "./plan.ts";
import type { EndedWork, OpenRun, RunsNow } from "./ports.ts";

/** A person's command begins a run, or leaves a signal for it, and drives it a moment later. */
const settleMs = 900;

/** A bead is written this long after its run's end at most; what is written later is a person's. */
const followMs = 5_000;

interface LeftBead {
  because: EndedWork["status"];
  endedMs: number;
  /** How it looked; undefined until it is seen ready. */
  line: string | undefined;
  isReported: boolean;
}

/** What a scheduler remembers from look to look. All of it may be lost: it only keeps from trying too often. */
export class SchedulerMemory implements Memory {
  readonly #elapsedMs: () => number;
  readonly #tell: (event: SchedulerEvent) => void;
  readonly #backOff: BackOff;
  readonly #surroundings: () => string;
  /** As the last look saw them: many beads may be asked about. */
  #seenAround = "";
  /** Since when a run has been seen without a driver. */
  readonly #aloneSinceMs = new Map<string, number>();
  readonly #avoidedBeads = new Map<string, LeftBead>();
  #hasLooked = false;

  constructor(elapsedMs: () => number, surroundings: () => string, tell: (event: SchedulerEvent) => void) {
    this.#elapsedMs = elapsedMs;
    this.#surroundings = surroundings;
    this.#tell = tell;
    this.#backOff = new BackOff(elapsedMs);
  }

  /** Takes in what a look saw, before it is asked about it. Beads are undefined when they cannot be read. */
  see({ open, ended }: RunsNow, ready: Bead[] | undefined): void {
    this.#seenAround = this.#surroundings();
    const driverless = new Set(open.filter(needsDriver).map(({ id }) => id));
    for (const id of this.#aloneSinceMs.keys()) if (!driverless.has(id)) this.#aloneSinceMs.delete(id);
    for (const id of driverless) {
      // What is there at the first look was left by those who are gone.
      if (!this.#aloneSinceMs.has(id)) this.#aloneSinceMs.set(id, this.#hasLooked ? this.#elapsedMs() : -Infinity);
    }
    // A person who cancels a run does not want the next one at once, although its bead is ready again. And a bead that is
    // still ready although its run completed would be worked on for ever.
    for (const { bead_id, status, ended: endedAt } of ended) {
      const endedMs = Date.parse(endedAt);
      if ((this.#avoidedBeads.get(bead_id)?.endedMs ?? -Infinity) > endedMs) continue;
      this.#avoidedBeads.set(bead_id, { because: status, endedMs, line: undefined, isReported: false });
    }
    if (ready) this.#forgetClosed(new Set(ready.map(({ id }) => id)));
    this.#hasLooked = true;
  }

  /** How a pick looks by what a person may change, taken before it is tried. */
  markOf(pick: Pick): string {
    return pick.kind === "resume" ? (pick.run.pendingSignalId ?? "") : `${this.#seenAround} ${markOfBead(pick.bead)}`;
  }

  failed(pick: Pick, mark = this.markOf(pick)): { failures: number; waitMs: number } {
    return this.#backOff.failed(nameOf(pick), mark);
  }

  succeeded(pick: Pick): void {
    this.#backOff.succeeded(nameOf(pick));
  }

  isHeld(pick: Pick): boolean {
    return this.#backOff.isHeld(nameOf(pick), () => this.markOf(pick));
  }

  hasFailed(pick: Pick): boolean {
    return this.#backOff.hasFailed(nameOf(pick));
  }

  isSettling({ id }: OpenRun): boolean {
    return this.#elapsedMs() - (this.#aloneSinceMs.get(id) ?? -Infinity) < settleMs;
  }

  isLeft(bead: Bead): boolean {
    const avoided = this.#avoidedBeads.get(bead.id);
    if (!avoided) return false;
    const line = JSON.stringify(bead);
    const isNewer = avoided.line === undefined && Date.parse(String(bead["updated_at"])) > avoided.endedMs + followMs;
    avoided.line ??= line;
    if (isNewer || avoided.line !== line) {
      this.#avoidedBeads.delete(bead.id);
      return false;
    }
    if (!avoided.isReported) this.#tell({ type: "scheduler.left", bead_id: bead.id, because: avoided.because });
    avoided.isReported = true;
    return true;
  }

  /** Beads that their runs closed, as it should be. One that is opened again later is to get another run. */
  #forgetClosed(ready: ReadonlySet<string>): void {
    for (const [bead, { because, line }] of this.#avoidedBeads) {
      if (because === "completed" && line === undefined && !ready.has(bead)) this.#avoidedBeads.delete(bead);
    }
  }
}

function nameOf(pick: Pick): string {
  return pick.kind === "start" ? `bead ${pick.bead.id}` : `run ${pick.run.id}`;
}

/** The bead, but for what a start itself writes there. */
function markOfBead(bead: Bead): string {
  const { status: _status, updated_at: _updated, started_at: _started, assignee: _assignee, ...rest } = bead;
  return JSON.stringify(rest);
}
