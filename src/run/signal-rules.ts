import { addressText, type Signal, type StepAddress, type Wait } from "../contract/run.ts";

/** What is for the agent at work, and answers no wait. */
export type AgentSignal = Extract<Signal, { kind: "message" | "stop_agent" }>;

/** All others. */
export type WaitSignal = Exclude<Signal, AgentSignal>;

export function isForAgent(signal: Signal): signal is AgentSignal {
  return signal.kind === "message" || signal.kind === "stop_agent";
}

/** The kind of the newest signal that may answer a wait; undefined when there is none. */
export function pendingAnswer(pending: readonly { signal: Signal }[]): Signal["kind"] | undefined {
  return pending.findLast(({ signal }) => !isForAgent(signal))?.signal.kind;
}

/** Whether a signal answers the wait: a cancel always does, another only this very wait and with a kind that it takes. */
export function answersWait(signal: Signal, to: StepAddress | null, wait: Wait | undefined): boolean {
  if (signal.kind === "cancel") return true;
  if (isForAgent(signal)) return false;
  if (!wait || (to && addressText(to) !== addressText(wait))) return false;
  if (signal.kind === "permission")
    return wait.reason === "permission" && wait.result?.permission?.id === signal.request;
  if (wait.status !== "pending_merge") return signal.kind === "retry";
  return signal.kind === "changes" ? wait.takesChanges === true : signal.kind !== "retry";
}
