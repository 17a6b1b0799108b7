import { connectedEngine } from "../../contract/connected.ts";
import type { StepAddress } from "../../contract/run.ts";
import type { RunStore } from "../run/ports.ts";
import type { Rehydrations } from "./rehydrations.ts";
import { stepAtHand } from "./step-at-hand.ts";
import { giveRehydration } from "./give-rehydration.ts";

interface Parts {
  rehydrations: () => Promise<Rehydrations>;
  store: Pick<RunStore, "lines">;
  sessionOf: (runId: string) => string | undefined;
}

/** The agent of a step that does not begin with nothing. */
export interface StepAgent extends StepAddress {
  engine: string;
  /** The engine's own session that goes on: its model knows what it said and did. */
  engineSession?: string | undefined;
}

/** Tells the agents of a run's steps where they stand, and takes their receipts. */
export interface StepRehydration {
  /** What goes with the prompt of an agent whose step was cut off; undefined when there is nothing that it does not know. */
  afterCut(runId: string, agent: StepAgent): Promise<string | undefined>;
  /** The same for an agent that takes over the step from one of another engine; undefined where none worked on it. */
  afterSwitch(runId: string, agent: StepAgent): Promise<string | undefined>;
  /** The agent has made this call, or said something, since it was told. */
  received(runId: string, by: string): Promise<void>;
}

export function stepRehydration({ rehydrations, store, sessionOf }: Parts): StepRehydration {
  const tell = async (
    runId: string,
    { engine, engineSession }: StepAgent,
    cause: "cut off" | "other engine",
  ): Promise<string | undefined> => {
    // A connected agent has no prompt of Clew's: it is told when it asks.
    const session = engine === connectedEngine ? undefined : sessionOf(runId);
    return session === undefined
      ? undefined
      : giveRehydration(await rehydrations(), { session, cause, engine, engineSession });
  };
  return {
    afterCut: (runId, agent) => tell(runId, agent, "cut off"),
    async afterSwitch(runId, agent) {
      const before = stepAtHand(store, runId)?.enginesBefore ?? [];
      const isSwitched = before.length > 0 && before.at(-1) !== agent.engine;
      return isSwitched ? tell(runId, agent, "other engine") : undefined;
    },
    received: async (runId, by) => void (await (await rehydrations()).receive(runId, { by })),
  };
}
