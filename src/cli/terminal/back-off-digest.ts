import type { SchedulerEvent } from "../../contract/api/scheduler.ts";

export type BackedOff = Extract<SchedulerEvent, { type: "scheduler.backed_off" }>;

/** Puts together what beads back off for: one cause is told once, with all beads that wait for it, and not at every try. */
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

  /** A bead that is worked on again: if it fails once more, that is news. */
  forget(beadId: string): void {
    for (const beadIds of this.#reportedBeads.values()) beadIds.delete(beadId);
  }

  /** What is new since the last time, by cause. */
  take(): BackedOff[][] {
    const groups = new Map<string, BackedOff[]>();
    for (const event of this.#unreported) groups.set(event.message, [...(groups.get(event.message) ?? []), event]);
    this.#unreported = [];
    return [...groups.values()];
  }
}
