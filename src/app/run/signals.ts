import { ClewError } from "../../contract/errors.ts";
import type { RunSnapshot } from "../../contract/run-snapshot.ts";
import type { VisibleStatus, Signal } from "../../contract/run.ts";
import { pendingPermission } from "../../run/wait-question-id.ts";
import { isOver } from "./read.ts";

/** A longer text is no review but a file. */
const longestText = 64 * 1024;

/** Throws when a run, as it stands, has no use for this signal. `visible` is how it looks from outside. */
export function refuseSignal(state: RunSnapshot, visible: VisibleStatus, signal: Signal): void {
  const { id, status, waiting } = state;
  const refuse = (): never => {
    const message = `run ${id} is ${visible}: nothing to ${verbs[signal.kind]}`;
    throw new ClewError("not_possible_now", message, wayOn(id, visible));
  };
  if (signal.kind === "permission") return refuseStaleAnswer(state, visible, signal.request);
  if (isOver(state)) refuse();
  switch (signal.kind) {
    case "cancel":
      return;
    case "message":
      if (signal.text.trim() === "") throw new ClewError("usage", "what is it to be told?", `clew run send ${id} TEXT`);
      refuseText(signal.text, "the message");
      return;
    case "stop_agent":
      return;
    case "retry":
      if (status !== "blocked" && status !== "failed") refuse();
      return;
    case "approve":
      if (status !== "pending_merge") refuse();
      return;
    case "reject":
      if (status !== "pending_merge") refuse();
      refuseText(signal.reason, "-r");
      return;
    case "changes":
      if (status !== "pending_merge") refuse();
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

/** Throws unless the run waits for the answer to this very request: its agent does, or it is blocked for it. */
function refuseStaleAnswer(state: RunSnapshot, visible: VisibleStatus, request: string): void {
  const isLive = visible === "running" && state.permissions?.some(({ id }) => id === request);
  if (isLive || pendingPermission(state)?.id === request) return;
  throw new ClewError(
    "not_possible_now",
    `the request ${request} of run ${state.id} is over: it was answered, or its agent is gone`,
    wayOn(state.id, visible),
  );
}

/** What a person can do with a run that is so. */
export function wayOn(id: string, visible: VisibleStatus): string {
  switch (visible) {
    case "pending_merge":
      return `it waits for your verdict: clew run diff ${id}, then clew run approve ${id} or clew run reject ${id}`;
    case "blocked":
    case "failed":
      return `clew run show ${id} tells why; once it is mended, clew run retry ${id}`;
    case "interrupted":
      return `clew run resume ${id} goes on with it`;
    case "running":
      return `clew run log ${id} -f follows it`;
    default:
      return "clew run list shows what is going on";
  }
}

const verbs: Record<Signal["kind"], string> = {
  retry: "retry",
  approve: "approve",
  reject: "reject",
  changes: "ask changes of",
  cancel: "cancel",
  permission: "allow or deny",
  message: "send to",
  stop_agent: "stop",
};

function refuseText(text: string, flag: string): void {
  if (text.length <= longestText && !text.includes("\0")) return;
  const what = text.includes("\0") ? "holds a NUL" : `is longer than ${longestText} characters`;
  throw new ClewError("invalid_input", `${flag}: the text ${what}`, "say it in fewer words, as plain text");
}
