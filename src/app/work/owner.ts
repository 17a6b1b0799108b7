import { ClewError } from "../../contract/errors.ts";
import type { SessionOwner } from "../session/owner.ts";
import { mendWork } from "./mend.ts";
import type { WorkParts } from "./parts.ts";

/** Keeps the sessions of `clew work`: what their agents do follows from the transcripts, and one process drives each. */
export function workSessionOwner(parts: WorkParts, warn: (message: string) => void): SessionOwner {
  const { states, drivers, log } = parts;
  const refuseDriven = async (id: string): Promise<void> => {
    if (!drivers.isDriven(id)) return;
    throw new ClewError(
      "not_possible_now",
      `another process drives the work session ${id}`,
      "Ctrl-C there pauses it; then it can be ended",
    );
  };
  return {
    async bringUpToDate(id) {
      const state = states.read(id);
      if (!state) return "none";
      if (drivers.isDriven(id)) return "at_work";
      const { status } = log.sessions.records.glance(id) ?? { status: "active" };
      const isLeft = state.agent !== undefined || state.current !== null;
      if (status !== "active" && !(status === "paused" && isLeft)) return "none";
      const release = drivers.tryAcquire(id);
      if (!release) return "at_work";
      try {
        await mendWork(parts, id);
        return "settled";
      } catch (error) {
        warn(`the work session ${id} cannot be brought up to date: ${(error as Error).message}`);
        return "none";
      } finally {
        release();
      }
    },
    refuseEnd: refuseDriven,
    refusePause: refuseDriven,
    resume: async () => false,
    answer: async () => undefined,
    describe: async (item) => item,
    waiting: async () => [],
  };
}
