import { rmSync } from "node:fs";
import { resolve } from "node:path";
import type { CodifiedText } from "../../../contract/api/codify.ts";
import { workflowFiles, type CodifyFormat } from "../../../contract/codify-values.ts";
import { grimoireName } from "../../../contract/grimoire.ts";
import { ClewError } from "../../../contract/errors.ts";
import type { Problem } from "../../../contract/problem.ts";
import type { CliContext, JsonOption } from "../../context.ts";
import { keepBeside } from "../../keep-text.ts";
import { cleanLine } from "../../terminal/clean.ts";
import { viewProblem } from "../../terminal/problem-view.ts";
import type { FormEnding } from "../../form-of-file.ts";
import { shellWord } from "../../../text/shell-word.ts";
import { writeNewFile } from "../../write-new-file.ts";
import type { SessionOptions } from "./session-name.ts";

/** What agents call a skill, and how grimoires and workflow markup are told apart. */
export const codifyEndings: readonly FormEnding<CodifyFormat>[] = [
  { name: /(?:^|\/)SKILL\.md$/, forms: ["skill", "markup"] },
  { name: /\.md$/, forms: ["markup", "skill"] },
  { name: /\.ya?ml$/, forms: ["grimoire"] },
];

export interface CodifyOptions extends JsonOption, Pick<SessionOptions, "session"> {
  format: CodifyFormat;
  output?: string;
  refine?: boolean;
  interactive?: boolean;
  engine?: string;
  model?: string;
}

/**
 * A grimoire among the repository's is found by its name, and no two may have the same: there it is called as its file is.
 * Anywhere else it keeps the name that it has.
 */
export function nameFromFile({ format, output = "" }: CodifyOptions): { name?: string } {
  const stem = /(?:^|\/)grimoires\/([^/]+)\.(?:ya?ml|md)$/.exec(output)?.[1];
  return format !== "skill" && stem !== undefined && grimoireName.test(stem) ? { name: stem } : {};
}

/** What could not be told, left out or cut. */
export function sayNotes({ output, terminal }: CliContext, { notes }: Pick<CodifiedText, "notes">): void {
  for (const note of notes) output.say(`${terminal.errorColors.yellow("note:")} ${cleanLine(note)}`);
}

/** What is wrong with a workflow that is no file: each with its line, because nobody can look it up. */
export function sayProblems(
  { output, terminal }: CliContext,
  problems: readonly Problem[],
  { format, text }: Pick<CodifiedText, "format" | "text">,
): void {
  const lines = text.split("\n");
  for (const problem of problems) {
    output.say(viewProblem({ ...terminal, colors: terminal.errorColors }, problem));
    const line = problem.file === workflowFiles[format] ? lines[problem.line - 1]?.trim() : undefined;
    if (line) output.say(`    the line: ${cleanLine(line)}`);
  }
}

export function refuseInvalid(valid: boolean, file: string): void {
  if (!valid)
    throw new ClewError(
      "invalid_grimoire",
      `nothing was written to ${file}: the workflow is not valid`,
      "the problems stand above",
    );
}

/** Where the workflow stands as it was before an agent refined it: by a name that no reader of grimoires takes up. */
export function originalOf(file: string): string {
  return `${file}.original`;
}

/** Writes a workflow, and before it the one that it was made of, so that there is no refined one without its original. */
export function saveWorkflow({ cwd }: CliContext, file: string, text: string, original?: string): void {
  if (original !== undefined) writeNewFile(cwd, originalOf(file), original);
  try {
    writeNewFile(cwd, file, text);
  } catch (error) {
    if (original !== undefined) rmSync(resolve(cwd, originalOf(file)), { force: true });
    throw error;
  }
}

/** Does what may end without the text in its file; then it is kept elsewhere, and where is said. */
export async function keepingText(
  { cwd, output }: CliContext,
  { file, text }: { file: string; text: () => string | undefined },
  work: () => void | Promise<void>,
): Promise<void> {
  try {
    await work();
  } catch (error) {
    const left = text();
    if (left !== undefined) output.say(`the text is kept in ${cleanLine(keepBeside(cwd, file, left))}`);
    throw error;
  }
}

/** Where it is, and what to do with it. */
export function savedText({ format, name }: Pick<CodifiedText, "format" | "name">, file: string): string {
  const wrote = `Wrote ${cleanLine(file)}`;
  if (format === "skill") {
    const folder = file.split("/").at(-2);
    return folder === name ? wrote : `${wrote}\nAgents find it as ${name}/SKILL.md in their folder of skills.`;
  }
  const isFoundByName = nameFromFile({ format, output: file }).name === name;
  return `${wrote}\nNext: clew grimoire preview ${isFoundByName ? name : shellWord(cleanLine(file))} --bead ID`;
}
