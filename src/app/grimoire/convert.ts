import type { ConvertedGrimoire } from "../../contract/api/grimoire.ts";
import { landsWork } from "../../contract/grimoire.ts";
import { ClewError } from "../../contract/errors.ts";
import type { Problem } from "../../contract/problem.ts";
import { errorList } from "./error-list.ts";
import { problemsOfText, type GrimoireParts } from "./grimoires.ts";
import type { DefinitionFile } from "./ports.ts";
import { grimoireNameIn, isMarkup, readFile } from "./read-file.ts";

/** A grimoire in the other form, or in the one that is asked for, and what that one cannot express. */
export async function convertFile(
  parts: GrimoireParts,
  file: DefinitionFile,
  to?: ConvertedGrimoire["to"],
): Promise<ConvertedGrimoire> {
  const from = isMarkup(file) ? "markup" : "yaml";
  const form = to ?? (from === "markup" ? "yaml" : "markup");
  // What only people can decide is no error here: it is told as what is left out.
  const { grimoire, problems } = await readFile(file, { forPeople: "false" });
  if (!grimoire) throw refusal(problems, file);
  // Markup has no merges.
  const base = { name: grimoireNameIn(file), file: file.file, to: form, lands: form === "yaml" && landsWork(grimoire) };
  if (form === "yaml") {
    const { writeGrimoire } = await import("../../grimoire/definition/write-grimoire.ts");
    const { yamlLosses } = await import("../../grimoire/markup/yaml-losses.ts");
    const losses = from === "markup" ? yamlLosses(file.text) : commentLosses(await countComments(file));
    return { ...base, text: writeGrimoire(grimoire), losses };
  }
  // Markup stays as a person wrote it.
  if (from === "markup") return { ...base, text: file.text, losses: [] };
  const { grimoireToMarkup } = await import("../../grimoire/markup/grimoire-to-markup.ts");
  const { text, losses } = grimoireToMarkup(grimoire);
  const broken = await newProblems(parts, file, { file: `${base.name}.md`, text });
  return { ...base, text, losses: [...commentLosses(await countComments(file)), ...losses, ...broken.map(asLoss)] };
}

async function countComments({ text }: DefinitionFile): Promise<number> {
  const { countComments: count } = await import("../../grimoire/definition/count-comments.ts");
  return count(text);
}

function commentLosses(comments: number): ConvertedGrimoire["losses"] {
  return comments === 0 ? [] : [{ message: `comments of YAML: ${comments}` }];
}

/** What is wrong with the markup, and was not with the grimoire: a name that a step asks for may be left out. */
async function newProblems(
  parts: GrimoireParts,
  before: DefinitionFile,
  after: Pick<DefinitionFile, "file" | "text">,
): Promise<Problem[]> {
  const key = ({ step, message }: Problem): string => `${step?.replace(/^.*\//, "")}: ${message}`;
  const known = new Set((await problemsOfText(parts, before.file, before.text)).map(key));
  const problems = await problemsOfText(parts, after.file, after.text);
  return problems.filter((each) => each.severity === "error" && !known.has(key(each)));
}

function asLoss({ step, message, file, line, column }: Problem): ConvertedGrimoire["losses"][number] {
  const told = `${message}, so that it does not run as it is (${file}:${line}:${column})`;
  return { ...(step !== undefined && { step }), message: told };
}

function refusal(problems: Problem[], { file }: DefinitionFile): ClewError {
  if (!/\.(?:ya?ml|md)$/.test(file)) {
    const hint = "a grimoire is YAML with name, description and steps (.yaml), or workflow markup (.md)";
    return new ClewError("invalid_grimoire", `${file} is no grimoire`, hint);
  }
  const hint = `clew grimoire validate ${file} tells the way on for each`;
  return new ClewError("invalid_grimoire", errorList(problems) || `${file} is no grimoire`, hint);
}
