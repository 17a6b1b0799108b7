import type { DoneAction, ShownAction } from "../../../contract/api/turn-execution.ts";
import type { PlannedAction } from "../../../contract/plan.ts";
import type { Redact } from "../../../contract/redacted.ts";
import type { LoggedAction } from "../../../contract/turn-report.ts";
import { unifiedDiff } from "../../../text/unified-diff.ts";
import type { ActionOutcome } from "../../../turn/files/apply-action.ts";
import type { Need } from "./approval.ts";

/** What an action is about, in a line. */
function subjectOf(action: PlannedAction): string {
  switch (action.type) {
    case "CREATE":
    case "EDIT":
      return action.path;
    case "EXECUTE":
      return firstLine(action.command);
    case "READ":
      return action.sources.join(", ");
    case "RESEARCH":
      return action.sources.map(({ text }) => text).join(", ");
    case "CHAT_WITH_USER":
      return firstLine(action.text);
    case "INVOKE":
      return `@${action.agent}`;
  }
}

/** What became of an action, in the words of its result. */
export function doneAction(
  { action: number, type, status, details, parameters }: LoggedAction,
  action: PlannedAction,
  redact: Redact,
): DoneAction {
  // A person may have edited where it goes.
  const subject = redact(typeof parameters["path"] === "string" ? parameters["path"] : subjectOf(action));
  const about = { action: number, type, subject, status, may_fail: action.may_fail };
  return { ...about, ...(details !== undefined && { details }) };
}

function firstLine(text: string): string {
  const [first = "", ...rest] = text.trim().split("\n");
  return rest.length === 0 ? first : `${first} …`;
}

/** An action as a person sees it before it is done. */
export function shownAction(
  number: number,
  action: PlannedAction,
  { need, outcome, notes = [] }: { need: Need; outcome?: ActionOutcome | undefined; notes?: string[] },
): ShownAction {
  const { type, description, line, may_fail } = action;
  const common = { action: number, type, description, line, subject: subjectOf(action), may_fail };
  const isFlagged = need.steersClew;
  const flagged = action.type === "EXECUTE" ? "this command changes what" : common.subject;
  return {
    ...common,
    ...parametersOf(action),
    ...(outcome && ("edit" in outcome ? { diff: diffOf(outcome) } : { problem: problemOf(outcome) })),
    approval: need.approval,
    ...("reason" in need && { reason: need.reason }),
    ...(isFlagged && { steers_clew: true }),
    notes: isFlagged ? [`${flagged} steers Clew itself: look at it with care`, ...notes] : notes,
  };
}

/** All that is in the way of an action, in words. */
export function problemOf({ refusals }: Extract<ActionOutcome, { refusals: unknown }>): string {
  return refusals.map(({ reason }) => reason).join("\n");
}

function diffOf({ edit: { path, before, after } }: Extract<ActionOutcome, { edit: unknown }>): string {
  return unifiedDiff(before, after, { before: `a/${path}`, after: `b/${path}` });
}

function parametersOf(action: PlannedAction): Partial<ShownAction> {
  switch (action.type) {
    case "EXECUTE": {
      const { command, cwd, expected } = action;
      return { command, ...(cwd !== undefined && { cwd }), ...(expected !== undefined && { expected }) };
    }
    case "READ":
      return { sources: action.sources.map((text) => ({ kind: "path", text })) };
    case "RESEARCH":
      return { sources: action.sources.map(({ kind, text }) => ({ kind, text })) };
    case "CHAT_WITH_USER":
      return { text: action.text };
    case "INVOKE":
      return { agent: action.agent, text: action.text };
    default:
      return {};
  }
}
