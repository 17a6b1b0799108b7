import type { Json } from "../../../contract/json.ts";
import type { PlannedAction } from "../../../contract/plan.ts";
import type { Approval, LoggedAction } from "../../../contract/turn-report.ts";
import type { ActionStatus, RunStatus } from "../../../contract/turn.ts";
import { headOf } from "../../../engine/cut.ts";

/** Longer texts of an action are cut in the report: plan.md has them whole. */
const maxTextBytes = 16 * 1024;

export interface ActionEnd {
  status: ActionStatus;
  details?: string;
  output?: string;
  output_file?: string;
  reply?: string;
  exit_code?: number;
}

/** What became of each action of a plan, in order. */
export class ActionLog {
  readonly #entries: LoggedAction[] = [];
  readonly #mayFail = new Set<number>();
  #isAborted = false;
  #isBroken = false;

  get entries(): readonly LoggedAction[] {
    return this.#entries;
  }

  /** An entry that says what was done, or keeps the place of what will be. */
  add(
    number: number,
    action: PlannedAction,
    end: ActionEnd,
    how: { approval?: Approval; durationMs?: number } = {},
  ): LoggedAction {
    const entry: LoggedAction = {
      action: number,
      type: action.type,
      description: action.description,
      parameters: parametersOf(action, how.approval?.edited === true),
      duration_ms: Math.max(0, Math.round(how.durationMs ?? 0)),
      ...(how.approval && { approval: how.approval }),
      ...end,
    };
    if (action.may_fail) this.#mayFail.add(number);
    this.#entries.push(entry);
    return entry;
  }

  abort(): void {
    this.#isAborted = true;
  }

  /** The disk refused what was approved: nothing of that batch was done, also where an action may fail. */
  break(): void {
    this.#isBroken = true;
  }

  status(): RunStatus {
    if (this.#isAborted) return "ABORTED";
    if (this.#isBroken) return "FAILURE";
    const failed = this.#entries.filter(({ status }) => status === "FAILURE");
    if (failed.some(({ action }) => !this.#mayFail.has(action))) return "FAILURE";
    return failed.length > 0 || this.#entries.some(({ status }) => status === "DENIED") ? "PARTIAL" : "SUCCESS";
  }

  counts(): { success: number; failure: number; skipped: number; denied: number } {
    const count = (status: ActionStatus): number => this.#entries.filter((each) => each.status === status).length;
    return { success: count("SUCCESS"), failure: count("FAILURE"), skipped: count("SKIPPED"), denied: count("DENIED") };
  }
}

/** What an action was given. What a person edited stands nowhere else, and is never cut. */
function parametersOf(action: PlannedAction, isEdited: boolean): Record<string, Json> {
  const cut = (text: string): string => {
    const head = isEdited ? text : headOf(text, maxTextBytes);
    return head.length === text.length ? text : `${head}\n[cut here: plan.md has all of it]`;
  };
  const { type: _, line: __, description: ___, may_fail, ...given } = action;
  const own = Object.entries(given).map(([name, value]): [string, Json] => {
    if (typeof value === "string") return [name, cut(value)];
    if (name === "edits" && action.type === "EDIT")
      return [name, action.edits.map(({ find, replace }) => ({ find: cut(find), replace: cut(replace) }))];
    return [name, value as Json];
  });
  return { ...Object.fromEntries(own), ...(may_fail && { may_fail: true }) };
}
