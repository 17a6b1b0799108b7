import { addressText, type Signal, type StepAddress, type Wait } from "../contract/run.ts";

/** Whether a signal answers the wait: a cancel always does, another only this very wait and with a kind that it takes. */
export function answersWait(signal: Signal, to: StepAddress | null, wait: Wait | undefined): boolean {
  if (signal.kind === "cancel") return true;
  if (!wait || (to && addressText(to) !== addressText(wait))) return false;
  if (signal.kind === "permission")
    return wait.reason === "permission" && wait.result?.permission?.id === signal.request;
  if (wait.status !== "pending_merge") return signal.kind === "retry";
  return signal.kind === "changes" ? wait.takesChanges === true : signal.kind !== "retry";
}
