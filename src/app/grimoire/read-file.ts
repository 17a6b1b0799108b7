import type { Grimoire } from "../../contract/grimoire.ts";
import type { Problem } from "../../contract/problem.ts";
import type { Places } from "../../grimoire/definition/places.ts";
import type { ReadGrimoire } from "../../grimoire/definition/read-grimoire.ts";
import { frontmatterOf, workflowNameOf } from "../../grimoire/markup/workflow-file.ts";
import type { DefinitionFile } from "./ports.ts";

interface ReadFile {
  grimoire?: Grimoire;
  draft?: Grimoire;
  isPartial?: boolean;
  channels?: Record<string, string>;
  problems: Problem[];
  /** Where things stand in the file. */
  places: () => Promise<Places>;
}

/** Reading YAML takes longer than all the rest, so that what the build has read is taken from there. */
export async function readFile(file: DefinitionFile, options?: { forPeople: "false" }): Promise<ReadFile> {
  const parse = async (): Promise<ReadGrimoire> => {
    if (isMarkup(file)) {
      const { readWorkflow } = await import("../../grimoire/markup/read-workflow.ts");
      return readWorkflow(file.text, file.file, options);
    }
    const { readGrimoire } = await import("../../grimoire/definition/read-grimoire.ts");
    return readGrimoire(file.text, file.file);
  };
  const { unreadable } = file;
  if (unreadable !== undefined) {
    const problem: Problem = { severity: "error", file: file.file, line: 1, column: 1, message: unreadable };
    return { problems: [problem], places: async () => (await parse()).places };
  }
  const grimoire = file.readByBuild?.();
  if (grimoire) return { grimoire, problems: [], places: async () => (await parse()).places };
  const { places, ...read } = await parse();
  return { ...read, places: async () => places };
}

/** No grimoire can be called by more than 64 letters; what is a little longer is told as it is. */
const longestName = 100;

/** The name that a file gives its grimoire, also when the rest cannot be read; else the file's own. */
export function grimoireNameIn({ file, text }: DefinitionFile): string {
  const head = isMarkup({ file }) ? frontmatterOf(text) : text;
  const value = /^name:(.*)$/m.exec(head)?.[1]?.trim() ?? "";
  const quoted = /^(?:"([^"]+)"|'([^']+)')[ \t]*(?:#.*)?$/.exec(value);
  const plain = /^[^#"']/.test(value) ? value.split("#", 1)[0]!.trimEnd() : undefined;
  const name = quoted?.[1] ?? quoted?.[2] ?? plain;
  if (name !== undefined && name.length <= longestName) return name;
  return isMarkup({ file }) ? workflowNameOf(file) : baseName({ file });
}

export function baseName({ file }: Pick<DefinitionFile, "file">): string {
  return file.replace(/^.*\//, "").replace(/\.(?:ya?ml|md)$/, "");
}

/** Whether a file is a workflow in markup, and not YAML. */
export function isMarkup({ file }: Pick<DefinitionFile, "file">): boolean {
  return file.endsWith(".md");
}
