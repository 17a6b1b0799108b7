import { SchedulerWatch, type ScheduleOptions } from "./scheduler-watch.ts";
import type { SchedulerParts, Standing } from "./scheduler-ports.ts";

/** Works on all that is ready, as much at once as is allowed: takes up runs, starts others, and never one bead twice. */
export class Scheduler {
  readonly #parts: SchedulerParts;

  constructor(parts: SchedulerParts) {
    this.#parts = parts;
  }

  /**
   * Goes on until `signal`, or with `once` until nothing is left that it could do; gives what is left then. No failure of
   * a bead or a run ends it. Throws when another scheduler is at work here.
   */
  async run(options: ScheduleOptions): Promise<Standing> {
    const letGo = this.#parts.hold();
    try {
      return await new SchedulerWatch(this.#parts, options).toItsEnd();
    } finally {
      letGo();
    }
  }
}
