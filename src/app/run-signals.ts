import { ClewError } from "../contract/errors.ts";
import type { RunSnapshot } from "../contract/run-journal.ts";
import type { ShownStatus, Signal } from "../contract/run.ts";
import { isOver } from "./run-reading.ts";

/** Longer words are no review but a file. */
const longestText = 64 * 1024;

/** Throws when a run, as it stands, has no use for this signal. `shown` is how it looks from outside. */
export function refuseSignal(state: RunSnapshot, shown: ShownStatus, signal: Signal): void {
  const { id, status, waiting } = state;
  const refuse = (hint: string): never => {
    throw new ClewError("not_possible_now", `run ${id} is ${shown}: nothing to ${verbs[signal.kind]}`, hint);
  };
  if (isOver(state)) refuse("clew run list shows what is going on");
  switch (signal.kind) {
    case "cancel":
      return;
    case "retry":
      if (status !== "blocked" && status !== "failed") refuse(`clew run resume ${id} goes on with it`);
      return;
    case "approve":
      if (status !== "pending_merge") refuse(`clew run show ${id} tells where it stands`);
      return;
    case "reject":
      if (status !== "pending_merge") refuse(`clew run show ${id} tells where it stands`);
      refuseText(signal.reason, "-r");
      return;
    case "changes":
      if (status !== "pending_merge") refuse(`clew run show ${id} tells where it stands`);
      if (signal.text.trim() === "") {
        throw new ClewError("usage", "what is to be changed?", `clew run changes ${id} -m TEXT`);
      }
      refuseText(signal.text, "-m");
      if (waiting?.takes_changes) return;
      throw new ClewError(
        "not_possible_now",
        `the step ${waiting?.path} of run ${id} takes no changes: its merge does not say on_changes: continue`,
        `clew run approve ${id}, or clew run reject ${id} -r TEXT and mend it in the worktree before a retry`,
      );
  }
}

const verbs: Record<Signal["kind"], string> = {
  retry: "retry",
  approve: "approve",
  reject: "reject",
  changes: "ask changes of",
  cancel: "cancel",
};

function refuseText(text: string, flag: string): void {
  if (text.length <= longestText && !text.includes("\0")) return;
  const what = text.includes("\0") ? "holds a NUL" : `is longer than ${longestText} characters`;
  throw new ClewError("invalid_input", `${flag}: the text ${what}`, "say it in fewer words, as plain text");
}
