import type { PicturedProblem, PlanNews, PlanSummary } from "../../contract/api/turn.ts";
import { formatCount, formatDollars } from "../../text/figures.ts";
import type { Screen } from "../context.ts";
import { clean, cleanLine } from "./clean.ts";
import { fit } from "./width.ts";

type Planned = Extract<PlanNews, { type: "planned" }>;

/** A plan that was just made: what it is about, or what is wrong with it, and the next command. */
export function viewPlanned(screen: Screen, news: Planned): string {
  const { plan, problems, turn, path, session_id: session, usage, repairs } = news;
  const { colors } = screen;
  const used = usage ? `, ${formatCount(usage.input + usage.output)} tokens${costOf(usage.cost_usd)}` : "";
  const place = colors.dim(`${cleanLine(path)}/plan.md${used}`);
  if (plan) {
    const next = `Next: clew session execute ${turn} -s ${session}`;
    return [...linesOfPlan(screen, plan), "", ...warnings(screen, problems), place, next].join("\n");
  }
  const repair = `  clew session plan --repair -s ${session}            the agent puts it right`;
  const edit = `  edit plan.md, then clew session execute ${turn} -s ${session}`;
  const branch = `  clew session branch ${turn} -m TEXT -s ${session}   another answer to the same context`;
  return [
    colors.red(`The answer is no valid plan. It was saved as turn ${turn}.`),
    "",
    ...viewProblems(screen, problems),
    place,
    "Go on by one of these:",
    ...(repairs < 2 ? [repair, edit, branch] : [edit, branch]),
  ].join("\n");
}

/** What was found in a plan that a person named. */
export function viewCheckedPlan(
  screen: Screen,
  { plan, problems }: { plan?: PlanSummary; problems: PicturedProblem[] },
  file: string,
): string {
  if (plan)
    return [
      ...linesOfPlan(screen, plan),
      "",
      ...warnings(screen, problems),
      `${cleanLine(file)} is a valid plan.`,
    ].join("\n");
  const count = problems.filter(({ severity }) => severity === "error").length;
  return [
    ...viewProblems(screen, problems),
    screen.colors.red(`${cleanLine(file)} is no valid plan: ${count} ${count === 1 ? "error" : "errors"}.`),
  ].join("\n");
}

function linesOfPlan({ colors, width }: Screen, plan: PlanSummary): string[] {
  const { title, goal, status, plan_type: type, memos, actions } = plan;
  const about = [status, type].flatMap((each) => (each === undefined ? [] : [cleanLine(each)])).join(", ");
  const widest = Math.max(0, ...actions.map((action) => action.type.length));
  return [
    colors.bold(cleanLine(title)) + (about === "" ? "" : colors.dim(` (${about})`)),
    ...(goal === undefined ? [] : [`Goal: ${cleanLine(goal)}`]),
    ...memos.map(
      ({ change, text }) => `  ${change === "add" ? colors.green("+") : colors.red("-")} memo: ${cleanLine(text)}`,
    ),
    ...actions.map((action, at) => {
      const number = String(at + 1).padStart(String(actions.length).length);
      const description = action.description === "" ? "" : ` · ${cleanLine(action.description)}`;
      const words = fit(`${cleanLine(action.about)}${description}`, Math.max(20, width - widest - 8));
      return `  ${colors.dim(number)} ${colors.cyan(action.type.padEnd(widest))}  ${words}`;
    }),
    ...(actions.length === 0 ? ["  no actions"] : []),
  ];
}

function warnings(screen: Screen, problems: PicturedProblem[]): string[] {
  return viewProblems(
    screen,
    problems.filter(({ severity }) => severity === "warning"),
  );
}

function viewProblems({ colors }: Screen, problems: PicturedProblem[]): string[] {
  return problems.flatMap(({ severity, file, line, column, message, picture }) => {
    const word = severity === "error" ? colors.red("error:") : colors.yellow("warning:");
    return [`${word} ${cleanLine(`${file}:${line}:${column}: ${message}`)}`, clean(picture), ""];
  });
}

function costOf(cost: number | undefined): string {
  return cost === undefined ? "" : `, ${formatDollars(cost)}`;
}
