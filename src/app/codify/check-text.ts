import { workflowFiles, type CodifyFormat } from "../../contract/codify-values.ts";
import type { Problem } from "../../contract/problem.ts";
import { readGrimoire, type ReadGrimoire } from "../../grimoire/definition/read-grimoire.ts";
import { readWorkflow } from "../../grimoire/markup/read-workflow.ts";
import { checkChange, checkSkillChange } from "../../learn/codify/check-change.ts";
import { checkSkill } from "../../learn/codify/check-skill.ts";
import { problemsOfText } from "../grimoire/grimoires.ts";
import type { CodifyParts } from "./parts.ts";

interface CheckedText {
  problems: Problem[];
  valid: boolean;
  /** What lands nowhere, and what is new beside `before`. */
  notes: string[];
}

/** What is wrong with a workflow's text, as `clew grimoire validate` would tell it of a file, and as codifying does. */
export async function checkText(
  { grimoires }: Pick<CodifyParts, "grimoires">,
  format: CodifyFormat,
  text: string,
  before?: string,
): Promise<CheckedText> {
  const file = workflowFiles[format];
  const problems = format === "skill" ? checkSkill(text, file) : await problemsOfText(grimoires, file, text);
  const change =
    format === "skill"
      ? checkSkillChange(text, before)
      : checkChange(format, read(format, text), before === undefined ? undefined : read(format, before).grimoire);
  const all = [...problems, ...change.problems];
  return { problems: all, valid: all.every(({ severity }) => severity === "warning"), notes: change.notes };
}

function read(format: Exclude<CodifyFormat, "skill">, text: string): ReadGrimoire {
  return format === "markup" ? readWorkflow(text, workflowFiles[format]) : readGrimoire(text, workflowFiles[format]);
}
