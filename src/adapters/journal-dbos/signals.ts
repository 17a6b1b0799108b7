import type { Signal, StepAddress } from "../../contract/run.ts";
import type { SignalOrigin } from "../../contract/run-fields.ts";

export const signalTopic = "clew";

/** What a message to a run's workflow holds, as JSON. `to` is the wait that it answers; null for any. */
export interface SentSignal {
  id: string;
  signal: Signal;
  to: StepAddress | null;
  by?: SignalOrigin;
}
