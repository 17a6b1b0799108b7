import type { FileAction, PlannedAction } from "../../../contract/plan.ts";
import type { Problem } from "../../../contract/problem.ts";
import type { Approval } from "../../../contract/turn-report.ts";
import type { ShownAction } from "../../../contract/api/turn-execution.ts";
import type { ActionOutcome } from "../../../turn/files/apply-action.ts";
import { needOf, type Need } from "./approval.ts";
import { editableText, readEditedAction } from "./editable-action.ts";
import type { ExecutionParts } from "./parts.ts";
import { Approvals, type Person } from "./person.ts";
import { shownAction } from "./show-action.ts";

interface ApprovedPlan {
  agent: string;
  actions: readonly PlannedAction[];
  /** Commands that a killed execution of the same plan had begun. */
  ranBefore: ReadonlySet<string>;
  /** What a file action would make of its file. */
  tryAction: (action: FileAction) => ActionOutcome;
}

/** What is to be done about an action, which a person may have edited. */
export type Verdict = { action: PlannedAction; approval: Approval } | "stopped";

/** Shows the actions of a plan, and has each approved, denied or edited. */
export class ActionApproval {
  readonly #parts: Pick<ExecutionParts, "rules" | "redact">;
  readonly #plan: ApprovedPlan;
  readonly #approvals: Approvals;

  constructor(parts: Pick<ExecutionParts, "rules" | "redact">, plan: ApprovedPlan, person: Person) {
    this.#parts = parts;
    this.#plan = plan;
    this.#approvals = new Approvals(person);
  }

  /** What is edited is shown again. */
  async decide(number: number, planned: PlannedAction): Promise<Verdict> {
    const of = this.#plan.actions.length;
    let action = planned;
    /** An edit that is no action, with all that is wrong with it: it is what is edited next. */
    let failed: { text: string; problems: Problem[] } | undefined;
    for (;;) {
      const edited = action === planned ? {} : { edited: true };
      const need = needOf(action, this.#plan.agent, this.#parts.rules);
      const shown = this.#shown(number, action, need);
      const approval = this.#approvals.without(need, number);
      if (approval && !failed) {
        this.#approvals.tellShown(shown, of, approval);
        return { action, approval: { ...approval, ...edited } };
      }
      const question = { about: "action", shown, of, editable: failed?.text ?? editableText(action) } as const;
      const answer = await this.#approvals.ask({ ...question, ...(failed && { problems: failed.problems }) });
      if (answer === undefined || answer.answer === "stop" || answer.answer === "reply") return "stopped";
      if (answer.answer === "edit") {
        const read = readEditedAction(answer.text, planned);
        failed = "problems" in read ? { text: answer.text, problems: read.problems } : undefined;
        if ("action" in read) action = read.action;
        continue;
      }
      const reason = answer.answer === "deny" ? answer.reason : undefined;
      const said = { by: "user", answer: answer.answer, ...edited, ...(reason !== undefined && { reason }) } as const;
      return { action, approval: said };
    }
  }

  #shown(number: number, action: PlannedAction, need: Need): ShownAction {
    const isFile = action.type === "CREATE" || action.type === "EDIT";
    const outcome = isFile && need.approval !== "denied" ? this.#plan.tryAction(action) : undefined;
    const ran = action.type === "EXECUTE" && this.#plan.ranBefore.has(this.#parts.redact(action.command));
    const notes = ran ? ["this command had begun when an earlier execution of this plan was cut off"] : [];
    return shownAction(number, action, { need, outcome, notes });
  }
}
