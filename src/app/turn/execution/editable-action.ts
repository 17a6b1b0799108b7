import type { Plan, PlannedAction } from "../../../contract/plan.ts";
import type { Problem } from "../../../contract/problem.ts";
import { readPlan } from "../../../turn/plan/read-plan.ts";
import { writePlan } from "../../../turn/plan/write-plan.ts";

const heading = "## Action Plan\n";

/** A plan with nothing but this action. */
function planOf(action: PlannedAction): Plan {
  return {
    title: "Edit",
    status: "Green",
    plan_type: "Edit",
    agent: "dev",
    goal: "edit",
    rationale: "edit",
    vault: [],
    memos: [],
    actions: [action],
  };
}

/** An action as it stands in a plan, for a person to edit. */
export function editableText(action: PlannedAction): string {
  const text = writePlan(planOf(action));
  return text.slice(text.indexOf(heading) + heading.length).trimStart();
}

/** What a person made of it: one action of the same type, or all that is wrong, with the lines of their text. */
export function readEditedAction(
  text: string,
  original: PlannedAction,
): { action: PlannedAction } | { problems: Problem[] } {
  const whole = writePlan(planOf(original));
  const head = `${whole.slice(0, whole.indexOf(heading) + heading.length)}\n`;
  const offset = head.split("\n").length - 1;
  const { plan, problems } = readPlan(head + text, "action");
  if (!plan) return { problems: problems.map((each) => ({ ...each, line: Math.max(1, each.line - offset) })) };
  const [action, ...others] = plan.actions;
  if (action && others.length === 0 && action.type === original.type)
    return { action: { ...action, line: original.line } };
  const message = `there must be exactly one action, of the type ${original.type}`;
  return { problems: [{ severity: "error", file: "action", line: 1, column: 1, message }] };
}
