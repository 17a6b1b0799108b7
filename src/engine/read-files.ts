import type { Json } from "../contract/json.ts";
import { fieldsOf, listOf, textOf } from "./read-fields.ts";

/** Tools that read files, each by its name: of Claude, Qwen and Gemini, opencode; a kind of ACP. Others that look name patterns or folders. */
const fileTools = new Set(["Read", "read_file", "read_many_files", "read"]);

/** The files that a call reads, whole or in part, as it names them. What a shell command reads is not known. */
export function readFiles(tool: string, input: Json): string[] {
  if (!fileTools.has(tool)) return [];
  const fields = fieldsOf(input);
  const { file_path, filePath, absolute_path, path } = fields;
  const names = [file_path, filePath, absolute_path, path, ...listOf(fields.paths)];
  return [...new Set(names.flatMap((each) => textOf(each) ?? []))];
}
