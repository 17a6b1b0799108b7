import type { PicturedProblem, PlanSummary } from "../../../contract/api/turn.ts";
import type { Plan, PlanAction } from "../../../contract/plan.ts";
import { problemPictures } from "../../../turn/plan/problem-picture.ts";
import { readPlan } from "../../../turn/plan/read-plan.ts";

export interface CheckedPlan {
  problems: PicturedProblem[];
  /** Absent when something is wrong with it. */
  plan?: PlanSummary;
}

/** All that is wrong with the text of a plan, each with a picture; and what it is about. */
export function checkPlan(text: string, file?: string): CheckedPlan {
  const { plan, problems } = readPlan(text, file);
  const pictures = problemPictures(text, problems);
  return {
    problems: problems.map((problem, at) => ({ ...problem, picture: pictures[at]! })),
    ...(plan && { plan: summaryOf(plan) }),
  };
}

function summaryOf({ title, status, plan_type, agent, goal, vault, memos, actions }: Plan): PlanSummary {
  return {
    title,
    ...(status !== undefined && { status }),
    ...(plan_type !== undefined && { plan_type }),
    ...(agent !== undefined && { agent }),
    ...(goal !== undefined && { goal }),
    vault,
    memos: memos.map(({ change, text }) => ({ change, text })),
    actions: actions.map((action) => ({
      type: action.type,
      about: subjectOf(action),
      description: action.description,
    })),
  };
}

/** What an action is about, on one line. */
function subjectOf(action: PlanAction): string {
  switch (action.type) {
    case "CREATE":
    case "EDIT":
      return action.path;
    case "READ":
      return oneLine(action.sources.join(", "));
    case "RESEARCH":
      return oneLine(action.sources.map(({ text }) => text).join(", "));
    case "EXECUTE":
      return oneLine(action.command);
    case "CHAT_WITH_USER":
      return oneLine(action.text);
    case "INVOKE":
      return oneLine(`${action.agent}: ${action.text}`);
  }
}

function oneLine(text: string): string {
  return text.trim().split(/\s+/).join(" ").slice(0, 500);
}
