import type { PlanItem } from "../../../contract/api/inbox.ts";
import { ClewError } from "../../../contract/errors.ts";
import type { SessionOwner, Upkeep } from "../../session/owner.ts";
import type { TurnParts } from "../parts.ts";
import { unexecutedTurn } from "../../../turn/turn-states.ts";
import { abandonedTurns, titleOf, turnText } from "../read-turn.ts";
import { isProjected, projectTurns } from "./turn-record.ts";

interface Parts extends Pick<TurnParts, "store" | "sessions" | "drivers"> {
  /** Removes what a session's turns have beside its folder. */
  removeState: (session: string) => void;
  /** Tells a person what went wrong without stopping anything. */
  warn: (message: string) => void;
}

/** So many of the newest sessions are looked at, so that the cost does not grow with all that there are. */
const mostSessions = 50;

/** Plans that nobody has executed yet, in sessions that are not over. */
async function openPlans({ store, sessions }: Pick<Parts, "store" | "sessions">): Promise<PlanItem[]> {
  const rows = await sessions.projections.ask((index) => index.newest({ kind: "turns" }, mostSessions));
  return rows.flatMap(({ session_id: id, status }): PlanItem[] => {
    if (status !== "active" && status !== "paused") return [];
    const lines = store.lines(id);
    const open = unexecutedTurn(lines, abandonedTurns(store, id, lines));
    if (!open) return [];
    const { turn } = open;
    const next = `clew session execute ${turn} -s ${id}`;
    const title = titleOf(turnText(store, id, turn, "plan.md") ?? "");
    const text = `turn ${turn} of ${id} waits to be executed${title === undefined ? "" : `: ${title}`}\n${next}`;
    return [{ id: `turn:${id}:${turn}`, kind: "decision_needed", text, session_id: id, turn, next }];
  });
}

/** Keeps the sessions of turns: session.md follows from `turns.jsonl`, also where a crash came between them. */
export function turnSessionOwner(parts: Parts): SessionOwner {
  const { store, sessions, drivers, removeState, warn } = parts;
  const refuseDriven = async (id: string): Promise<void> => {
    if (!drivers.isDriven(id)) return;
    throw new ClewError(
      "not_possible_now",
      `another process works on the turns of ${id}`,
      "wait until it is done, or end it there with Ctrl-C",
    );
  };
  const bringUpToDate = async (id: string): Promise<Upkeep> => {
    let release: (() => void) | undefined;
    try {
      if (!sessions.records.exists(id)) return "none";
      const lines = store.lines(id);
      const { text, bodyStart } = await sessions.records.read(id);
      if (lines.length === 0 || isProjected(text.slice(bodyStart), lines)) return "none";
      release = drivers.tryAcquire(id);
      if (!release) return "at_work";
      store.mend(id);
      await projectTurns(parts, id);
    } catch (error) {
      warn(`the turns of ${id} cannot be brought up to date: ${(error as Error).message}`);
    } finally {
      release?.();
    }
    // It is kept like any other session: an idle one is paused.
    return "none";
  };
  return {
    bringUpToDate,
    async refuseEnd(id) {
      await refuseDriven(id);
      await bringUpToDate(id);
    },
    async letGo(id, { isDeleted }) {
      if (isDeleted) removeState(id);
    },
    resume: async () => false,
    answer: async () => undefined,
    awaits: async () => false,
    describe: async (item) => item,
    waiting: () => openPlans(parts),
  };
}
