import type { Problem } from "../../contract/problem.ts";
import { fenced } from "../plan/fence.ts";

/** What an agent is sent whose answer was no valid plan: all that it was told, its answer, and what is wrong with it. */
export function repairLog(contextLog: string, answer: string, problems: readonly Problem[]): string {
  const errors = problems.filter(({ severity }) => severity === "error");
  const lines = errors.map(
    ({ line, column, message, hint }) =>
      `- line ${line}, column ${column}: ${message}${hint === undefined ? "" : `; expected: ${hint}`}`,
  );
  return `${contextLog}
# Repair

This was your answer to the above. It cannot be used: it is no plan in the form that was asked for.

${fenced(answer.split("\n")).join("\n")}

What is wrong with it, by its lines:

${lines.join("\n")}

Answer with the whole plan again, with these errors put right and nothing else changed.
`;
}
