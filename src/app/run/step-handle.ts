import type { StepResult } from "../../contract/run.ts";
import type { EngineEvent } from "../../contract/engine.ts";
import type { HandleDesk, SteeredAgent } from "../../run/handlers.ts";
import type { AgentHandle } from "../engine/agents.ts";

/** What a person does to the agent of a step while it works: further messages, and its end. */
export class StepHandle {
  #isReady = false;
  #stoppedBy: Parameters<SteeredAgent["stop"]>[0] | undefined;

  /** Lets signals reach the agent. Returns how to end that. */
  open(desk: HandleDesk | undefined, agent: AgentHandle): () => void {
    if (!desk) return () => undefined;
    return desk.open({
      isReady: () => this.#isReady,
      send: (text) => agent.send(text),
      stop: (by) => {
        this.#stoppedBy = by;
        if (by.kill) agent.kill();
        else agent.stop();
      },
    });
  }

  take({ type }: EngineEvent): void {
    if (type === "init") this.#isReady = true;
  }

  /** What the step comes to when a person stopped its agent, whatever that had given by then; undefined when nobody did. */
  stoppedResult({ output, usage, rounds }: StepResult): StepResult | undefined {
    if (!this.#stoppedBy) return undefined;
    const { user, kill } = this.#stoppedBy;
    const error = `interrupted by a person: ${user ?? "someone"} ${kill ? "killed" : "stopped"} its agent`;
    return { success: false, output, error, ...(usage && { usage }), ...(rounds !== undefined && { rounds }) };
  }
}
