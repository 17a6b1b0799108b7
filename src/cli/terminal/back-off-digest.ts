import type { SchedulerEvent } from "../../contract/api/scheduler.ts";

export type BackedOff = Extract<SchedulerEvent, { type: "scheduler.backed_off" }>;

/** Groups beads that back off by cause. A bead is reported once for a cause, and not at every try. */
export class BackOffDigest {
  readonly #reportedBeads = new Map<string, Set<string>>();
  #unreported: BackedOff[] = [];

  add(event: BackedOff): void {
    const beadIds = this.#reportedBeads.get(event.message) ?? new Set();
    this.#reportedBeads.set(event.message, beadIds);
    if (beadIds.has(event.bead_id)) return;
    beadIds.add(event.bead_id);
    this.#unreported.push(event);
  }

  /** Called when work on a bead begins again, so that its next failure is reported. */
  forget(beadId: string): void {
    for (const beadIds of this.#reportedBeads.values()) beadIds.delete(beadId);
  }

  /** Returns what was added since the last call, by cause. */
  take(): BackedOff[][] {
    const groups = new Map<string, BackedOff[]>();
    for (const event of this.#unreported) groups.set(event.message, [...(groups.get(event.message) ?? []), event]);
    this.#unreported = [];
    return [...groups.values()];
  }
}
