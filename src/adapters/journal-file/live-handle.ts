import { ClewError } from "../../contract/errors.ts";
import type { SignalFile } from "../../contract/run-journal.ts";
import { addressText, type StepAddress } from "../../contract/run.ts";
import type { HandleDesk, SteeredAgent } from "../../run/handlers.ts";
import type { AgentSignal } from "../../run/signal-rules.ts";

/** What became of a signal to an agent. `later`: its agent is only starting. */
export type Delivery = "later" | { refusal?: string };

/** The handle of the agent that works now, by which a person's signals reach it. */
export class LiveHandle {
  /** The attempt that is at work. */
  #at: string | undefined;
  #agent: SteeredAgent | "starting" | "ended" = "starting";

  /** What the work of one step gets. */
  deskAt(address: StepAddress): HandleDesk {
    this.#at = addressText(address);
    this.#agent = "starting";
    return {
      open: (agent) => {
        this.#agent = agent;
        return () => (this.#agent = "ended");
      },
    };
  }

  /** The work has ended. */
  clear(): void {
    this.#at = undefined;
  }

  deliver(signal: AgentSignal, { to, by }: Pick<SignalFile, "to" | "by">): Delivery {
    const agent = this.#agent;
    if (!to || addressText(to) !== this.#at || agent === "ended") return { refusal: "its agent has ended" };
    if (agent === "starting" || (signal.kind === "message" && !agent.isReady())) return "later";
    try {
      if (signal.kind === "message") agent.send(signal.text);
      else agent.stop({ user: by?.user, kill: signal.kill });
      return {};
    } catch (error) {
      if (error instanceof ClewError) return { refusal: error.message };
      throw error;
    }
  }
}
