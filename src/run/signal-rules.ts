import { addressText, type Signal, type StepAddress, type Wait } from "../contract/run.ts";

/** A cancel is always meant; anything else is an answer to one wait, and of the kind that it asks for. */
export function isMeant(signal: Signal, to: StepAddress | null, wait: Wait | undefined): boolean {
  if (signal.kind === "cancel") return true;
  if (!wait || (to && addressText(to) !== addressText(wait))) return false;
  return wait.status === "pending_merge" ? signal.kind !== "retry" : signal.kind === "retry";
}
