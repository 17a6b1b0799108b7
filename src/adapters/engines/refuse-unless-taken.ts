import { ClewError } from "../../contract/errors.ts";
import type { Refusal } from "../../engine/conversation.ts";

/** Throws a ClewError when an engine did not take what it was sent. */
export function refuseUnlessTaken(refusal: Refusal | undefined): void {
  if (refusal === undefined) return;
  const reason = refusal === "closed" ? "reads no more" : "has not read what it was sent before";
  throw new ClewError("not_possible_now", `the agent ${reason}`, "wait until it has ended, or stop it");
}
