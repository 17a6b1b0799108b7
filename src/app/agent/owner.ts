import type { SessionOwner, Upkeep } from "../session/owner.ts";
import { mendTalk, type MendTalkParts } from "./mend-talk.ts";
import type { AgentsApiParts } from "./parts.ts";

interface Parts extends MendTalkParts {
  drivers: AgentsApiParts["drivers"];
  /** Tells a person what went wrong without stopping anything. */
  warn: (message: string) => void;
}

/** Keeps the sessions of talks: one process leads each, and what a dead one left is mended from the transcript. */
export function talkOwner(parts: Parts): SessionOwner {
  const { drivers, states, warn } = parts;
  const bringUpToDate = async (id: string): Promise<Upkeep> => {
    let release: (() => void) | undefined;
    try {
      // Undefined while another process leads it, or this one: then it is kept like any other session.
      release = drivers.tryAcquire(id);
      if (!release) return "none";
      return (await mendTalk(parts, id)) ? "settled" : "none";
    } catch (error) {
      warn(`the talk ${id} cannot be brought up to date: ${(error as Error).message}`);
      return "none";
    } finally {
      release?.();
    }
  };
  return {
    bringUpToDate,
    // What a dead process left of its agent is put right before the session ends.
    refuseEnd: async (id) => void (await bringUpToDate(id)),
    async letGo(id, { isDeleted }) {
      if (isDeleted) states.remove(id);
    },
    resume: async () => false,
    awaits: async () => false,
    answer: async () => undefined,
    describe: async (item) => item,
    waiting: async () => [],
  };
}
