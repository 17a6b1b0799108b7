import { ClewError } from "../../contract/errors.ts";
import type { SessionOwner, Upkeep } from "../session/owner.ts";
import { mendWork } from "./mend.ts";
import type { WorkParts } from "./parts.ts";
import { stateOf } from "./recover-state.ts";
import { heldByWork } from "./work-holder.ts";

/** Keeps the sessions of `clew work`: what their agents do follows from the transcripts, and one process drives each. */
export function workSessionOwner(parts: WorkParts): SessionOwner {
  const { states, drivers, log, warn } = parts;
  const refuseDriven = async (id: string): Promise<void> => {
    if (!drivers.isDriven(id)) return;
    throw new ClewError(
      "not_possible_now",
      `another process drives the work session ${id}`,
      "Ctrl-C there pauses it; then it can be ended",
    );
  };
  const bringUpToDate = async (id: string): Promise<Upkeep> => {
    if (drivers.isDriven(id)) return "at_work";
    const state = await stateOf(parts, id);
    if (!state) return "none";
    const { status } = log.sessions.records.glance(id) ?? { status: "active" };
    const isLeft = state.agent !== undefined || state.current !== null;
    if (status !== "active" && !((status === "paused" || status === "failed") && isLeft)) return "none";
    const release = drivers.tryAcquire(id);
    if (!release) return "at_work";
    try {
      await mendWork(parts, id);
      if (states.read(id)?.current == null) return status === "active" ? "settled" : "none";
      // A bead that is away keeps it open, so that the next look sees to it again.
      log.sessions.records.markOpen(id);
      return "settled";
    } catch (error) {
      warn(`the work session ${id} cannot be brought up to date: ${(error as Error).message}`);
      return "none";
    } finally {
      release();
    }
  };
  return {
    bringUpToDate,
    async refuseEnd(id) {
      await refuseDriven(id);
      // What a dead driver left of its bead and its agent is put right before the session lets go of them.
      await bringUpToDate(id);
    },
    refusePause: refuseDriven,
    async refuseArchive(id) {
      const bead = [...parts.claims.held()].find(([, session]) => session === id)?.[0];
      if (bead !== undefined) throw heldByWork(bead, id);
    },
    async letGo(id, { isDeleted }) {
      await parts.claims.releaseAll(id);
      if (isDeleted) states.remove(id);
    },
    resume: async () => false,
    answer: async () => undefined,
    awaits: async () => false,
    describe: async (item) => item,
    waiting: async () => [],
  };
}
