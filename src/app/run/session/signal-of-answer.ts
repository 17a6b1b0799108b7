import { ClewError } from "../../../contract/errors.ts";
import type { Signal } from "../../../contract/run.ts";

/** A run that waits for a person. */
export interface RunWait {
  runId: string;
  /** It waits for approval; otherwise it is blocked or failed. */
  isReview: boolean;
  /** A person may ask for changes. */
  takesChanges: boolean;
  /** What can be done, as commands. */
  actions: string[];
}

/** A run is moved by signals alone; its question leaves the inbox when the run takes the signal up. */
export function signalOf({ runId, isReview, takesChanges, actions }: RunWait, text: string): Signal {
  const answer = text.trim();
  const [word = ""] = answer.toLowerCase().split(/\s/, 1);
  const rest = answer.slice(word.length).trim();
  if (word === "changes" && isReview && takesChanges) return { kind: "changes", text: rest };
  if (word === "reject" && isReview) return { kind: "reject", reason: rest };
  if (rest === "") {
    if (word === "cancel") return { kind: "cancel" };
    if (word === "approve" && isReview) return { kind: "approve" };
    if (word === "retry" && !isReview) return { kind: "retry", inputs: {} };
  }
  const review = takesChanges ? "approve, changes TEXT, reject TEXT or cancel" : "approve, reject TEXT or cancel";
  throw new ClewError(
    "invalid_input",
    `run ${runId} waits here, and it goes on by ${isReview ? review : "retry or cancel"} alone`,
    `answer with that, or: ${actions.join("; ")}`,
  );
}
