import type { WorkNews, WorkSimulation } from "../../contract/api/work.ts";
import type { Screen } from "../context.ts";
import { clean, cleanLine } from "./clean.ts";
import type { Colors } from "./colors.ts";

type Of<Type extends WorkNews["type"]> = Extract<WorkNews, { type: Type }>;

export function workTaskLine(news: Of<"task"> | Of<"task_done">, colors: Colors): string {
  const { id, title } = news.task;
  const name = `${colors.bold(cleanLine(id))} ${cleanLine(title)}`;
  if (news.type === "task_done") {
    const above = news.completed.length === 0 ? "" : `, and with it ${news.completed.map(cleanLine).join(", ")}`;
    return `${colors.green("✓")} ${name} is closed${above}: ${clean(news.summary)}`;
  }
  const how = news.resumes === null ? "" : `, goes on in its session ${cleanLine(news.resumes)}`;
  return `${colors.cyan("▶")} ${name} ${colors.dim(`(${cleanLine(news.engine)}${how}; session ${news.session_id})`)}`;
}

/** What a person does next. */
export function workEndLines(
  { reason, error, limit, next, bead, status, session_id }: Of<"ended">,
  colors: Colors,
): string[] {
  if (reason === "done") return [`${colors.green("✓")} ${cleanLine(bead)} is done`];
  const why = limit?.message ?? error;
  const told =
    status === "failed" || why === undefined ? [] : [`${colors.yellow("⏸")} ${words[reason]}: ${clean(why)}`];
  const kept = status === "failed" ? "what was done is kept" : "the session is paused";
  const raised = cleanLine(limit?.command ?? next ?? "");
  const giveUp = `clew session end ${session_id} --status abandoned`;
  return [...told, `${kept}, and ${cleanLine(bead)} stays with it; to go on: ${raised}; to give it up: ${giveUp}`];
}

const words: Record<Of<"ended">["reason"], string> = {
  done: "done",
  failed: "stopped",
  paused: "the agent stopped before it was done",
  limit: "a limit was reached",
  permission: "it waits for a permission",
  engine: "the engine cannot go on now",
  branch: "the branch was switched",
  waiting: "nothing is ready",
  interrupted: "interrupted",
};

/** What would be done, for a person to read. */
export function simulationText(simulation: WorkSimulation, { colors }: Screen): string {
  const { task, engine, level, session, engine_session, prompt, writes, bead } = simulation;
  const rows = [
    ["bead", bead],
    ["task", task ? `${task.id} ${task.title}` : "none is ready"],
    ["engine", `${engine}, level ${level}`],
    ["session", session ?? "a new one"],
    ["engine session", engine_session ?? "a new one"],
  ];
  const width = Math.max(...rows.map(([name]) => name!.length));
  return [
    ...rows.map(([name, value]) => `${colors.dim(name!.padEnd(width))}  ${cleanLine(value!)}`),
    "",
    colors.bold("It would write"),
    ...writes.map((each) => `  ${cleanLine(each)}`),
    "",
    colors.bold("Prompt"),
    clean(prompt),
    "",
  ].join("\n");
}
