import type { SchedulerEvent } from "../../contract/api/scheduler.ts";

export type BackedOff = Extract<SchedulerEvent, { type: "scheduler.backed_off" }>;

/** Puts together what beads back off for: one cause is told once, with all beads that wait for it, and not at every try. */
export class BackOffDigest {
  readonly #told = new Map<string, Set<string>>();
  #held: BackedOff[] = [];

  add(event: BackedOff): void {
    const printedFor = this.#told.get(event.message) ?? new Set();
    this.#told.set(event.message, printedFor);
    if (printedFor.has(event.bead_id)) return;
    printedFor.add(event.bead_id);
    this.#held.push(event);
  }

  /** A bead that is worked on again: if it fails once more, that is news. */
  forget(beadId: string): void {
    for (const told of this.#told.values()) told.delete(beadId);
  }

  /** What is new since the last time, by cause. */
  take(): BackedOff[][] {
    const groups = new Map<string, BackedOff[]>();
    for (const event of this.#held) groups.set(event.message, [...(groups.get(event.message) ?? []), event]);
    this.#held = [];
    return [...groups.values()];
  }
}
