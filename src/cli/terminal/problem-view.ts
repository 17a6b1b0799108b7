import type { CheckedGrimoire } from "../../contract/api/grimoire.ts";
import type { Problem } from "../../contract/problem.ts";
import type { Screen } from "../context.ts";
import { shellWord } from "../../text/shell-word.ts";
import { cleanLine } from "./clean.ts";
import { count } from "./words.ts";

/** `file:line:column: error: what`, which editors can follow, and below it the way out. */
export function viewProblem({ colors }: Screen, problem: Problem): string {
  const place = colors.bold(cleanLine(`${problem.file}:${problem.line}:${problem.column}:`));
  const kind = problem.severity === "error" ? colors.red("error:") : colors.yellow("warning:");
  const name = problem.step?.replace(/^(?!step )/, "step ");
  const step = name === undefined ? "" : colors.dim(` (${cleanLine(name)})`);
  const hint = problem.hint === undefined ? "" : `\n    ${cleanLine(problem.hint)}`;
  return `${place} ${kind} ${cleanLine(problem.message)}${step}${hint}`;
}

export function viewChecked(screen: Screen, grimoires: CheckedGrimoire[]): string {
  const { colors } = screen;
  const blocks = grimoires.map(({ name, file, problems, valid }) => {
    const mark = valid ? colors.green("✓") : colors.red("✗");
    const head = `${mark} ${colors.bold(cleanLine(name))}  ${colors.dim(cleanLine(file))}`;
    return [head, ...problems.map((problem) => viewProblem(screen, problem))].join("\n");
  });
  // Of all that there are, some are not meant to change anything.
  const [only, ...others] = grimoires;
  const warnings = others.length === 0 && only?.lands === false ? [landsNothing(screen, only)] : [];
  return [...blocks, ...warnings, sumUp(grimoires.flatMap(({ problems }) => problems))].join("\n");
}

export const noMerge =
  "no merge step runs: what a run changes stays in its worktree, where nothing commits or lands it";

/** What is said of a grimoire whose runs end well and merge nothing, with the way on. */
export function landsNothing({ colors }: Screen, { file }: { file: string }): string {
  const form = file.endsWith(".md") ? `clew grimoire convert ${shellWord(file)} --to yaml, and ` : "";
  return `${colors.yellow("warning:")} ${noMerge}\n    ${cleanLine(`${form}end it with a step of type: merge`)}`;
}

/** How it ended, in one line. */
export function sumUp(problems: Problem[]): string {
  const errors = problems.filter(({ severity }) => severity === "error").length;
  const warnings = problems.length - errors;
  if (problems.length === 0) return "Nothing is wrong.";
  const parts = [
    ...(errors > 0 ? [count(errors, "error")] : []),
    ...(warnings > 0 ? [count(warnings, "warning")] : []),
  ];
  return `${parts.join(" and ")}.`;
}
