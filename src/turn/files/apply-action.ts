import type { FileAction } from "../../contract/plan.ts";
import { editText } from "./edit-text.ts";
import type { FileEdit, Overlay } from "./overlay.ts";

/** Why an action cannot be done. */
export interface Refusal {
  /** Of the plan. */
  line: number;
  /** In words; may have several lines. */
  reason: string;
}

/** What an action makes of a file, or all that is in its way. */
export type ActionOutcome = { edit: FileEdit } | { refusals: Refusal[] };

/** What an action would make of its file. Changes nothing. */
export function tryAction(overlay: Overlay, action: FileAction): ActionOutcome {
  const { path, line } = action;
  const before = overlay.read(path);
  const refuse = (reason: string): ActionOutcome => ({ refusals: [{ line, reason }] });
  if (typeof before === "object") return refuse(`${path}: ${before.refused}`);
  if (action.type === "CREATE") {
    const isTaken = before !== undefined && !action.overwrite;
    return isTaken
      ? refuse(`${path} is there already; CREATE replaces it only with Overwrite: true`)
      : { edit: { path, before, after: action.content } };
  }
  if (before === undefined) return refuse(`${path} is not there, so that nothing can be found in it`);
  const { text, refusals } = editText(before, action.edits);
  if (refusals.length === 0) return { edit: { path, before, after: text } };
  return { refusals: refusals.map((each) => ({ line: each.line, reason: `${path}: ${each.reason}` })) };
}

/** The same, and has it in the overlay. */
export function applyAction(overlay: Overlay, action: FileAction): ActionOutcome {
  const outcome = tryAction(overlay, action);
  if ("edit" in outcome) overlay.write(outcome.edit.path, outcome.edit.after);
  return outcome;
}
