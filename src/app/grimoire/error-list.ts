import type { Problem } from "../../contract/problem.ts";

/** More errors are counted only. */
const mostLines = 20;

/** The errors among problems with their places, a line each, as the message of a refusal. Empty when there is none. */
export function errorList(problems: readonly Problem[]): string {
  const errors = problems.filter(({ severity }) => severity === "error");
  const lines = errors
    .slice(0, mostLines)
    .map(({ file, line, column, message }) => `${file}:${line}:${column}: ${message}`);
  return [...lines, ...(errors.length > mostLines ? [`and ${errors.length - mostLines} more`] : [])].join("\n");
}
