import type { ConvertedGrimoire } from "../../contract/api/grimoire.ts";
import { ClewError } from "../../contract/errors.ts";
import type { Problem } from "../../contract/problem.ts";
import type { DefinitionFile } from "./ports.ts";
import { grimoireNameIn, isMarkup, readFile } from "./read-file.ts";

/** A grimoire in the other form, or in the one that is asked for, and what that one cannot express. */
export async function convertFile(file: DefinitionFile, to?: ConvertedGrimoire["to"]): Promise<ConvertedGrimoire> {
  const from = isMarkup(file) ? "markup" : "yaml";
  const form = to ?? (from === "markup" ? "yaml" : "markup");
  const { grimoire, problems } = await readFile(file);
  if (!grimoire) throw refusal(problems, file);
  const base = { name: grimoireNameIn(file), file: file.file, to: form };
  if (form === "yaml") {
    const { writeGrimoire } = await import("../../grimoire/definition/write-grimoire.ts");
    const { yamlLosses } = await import("../../grimoire/markup/yaml-losses.ts");
    const losses = from === "markup" ? yamlLosses(file.text) : [];
    return { ...base, text: writeGrimoire(grimoire), losses };
  }
  // Markup stays as a person wrote it.
  if (from === "markup") return { ...base, text: file.text, losses: [] };
  const { grimoireToMarkup } = await import("../../grimoire/markup/grimoire-to-markup.ts");
  return { ...base, ...grimoireToMarkup(grimoire) };
}

function refusal(problems: Problem[], { file }: DefinitionFile): ClewError {
  const first = problems.find(({ severity }) => severity === "error");
  const place = first ? `${first.file}:${first.line}:${first.column}: ${first.message}` : `${file} is no grimoire`;
  return new ClewError("invalid_grimoire", place, `clew grimoire validate ${file} tells everything that is wrong`);
}
