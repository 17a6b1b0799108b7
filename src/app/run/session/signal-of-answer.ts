import { ClewError } from "../../../contract/errors.ts";
import type { PermissionRequest } from "../../../contract/permission.ts";
import { optionOf, wordsFor } from "../../../contract/permission-values.ts";
import type { WaitSignal } from "../../../run/signal-rules.ts";

/** A run that waits for a person. */
export interface RunWait {
  runId: string;
  /** It waits for approval; otherwise it is blocked or failed. */
  isReview: boolean;
  /** A person may ask for changes. */
  takesChanges: boolean;
  /** What can be done, as commands. */
  actions: string[];
  /** What its agent asks for, when that is the question. */
  permission: PermissionRequest | undefined;
}

/** A run is moved by signals alone; its question leaves the inbox when the run takes the signal up. */
export function signalOf(wait: RunWait, text: string): WaitSignal {
  const { runId, isReview, takesChanges, actions, permission } = wait;
  if (permission) return permissionSignal(runId, permission, text);
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

function permissionSignal(runId: string, { id, options }: PermissionRequest, text: string): WaitSignal {
  const word = text.trim().toLowerCase();
  if (word === "cancel") return { kind: "cancel" };
  const option = optionOf(word, options);
  if (option) return { kind: "permission", request: id, option };
  const words = wordsFor({ options });
  throw new ClewError(
    "invalid_input",
    `the agent of run ${runId} asks for a permission, and takes ${words.join(" or ")} alone`,
    words.map((each) => `clew inbox answer ${id} ${each}`).join("; "),
  );
}
