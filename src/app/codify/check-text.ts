import { workflowFiles, type CodifyFormat } from "../../contract/codify-values.ts";
import type { Problem } from "../../contract/problem.ts";
import { checkSkill } from "../../learn/codify/check-skill.ts";
import { problemsOfText } from "../grimoire/grimoires.ts";
import type { CodifyParts } from "./parts.ts";

/** What is wrong with a workflow's text, as `clew grimoire validate` would tell it of a file. */
export async function checkText(
  { grimoires }: Pick<CodifyParts, "grimoires">,
  format: CodifyFormat,
  text: string,
): Promise<{ problems: Problem[]; valid: boolean }> {
  const file = workflowFiles[format];
  const problems = format === "skill" ? checkSkill(text, file) : await problemsOfText(grimoires, file, text);
  return { problems, valid: problems.every(({ severity }) => severity === "warning") };
}
