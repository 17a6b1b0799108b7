import type { Json } from "../contract/json.ts";
import { fieldsOf, listOf, textOf, type Fields } from "./read-fields.ts";

/** Tools that write files, by the names that engines give them. */
const editTools = new Set(
  [
    // Claude, and the scripted engine.
    "Write Edit MultiEdit NotebookEdit",
    // Qwen and Gemini.
    "write_file edit notebook_edit replace",
    // opencode.
    "write multiedit patch",
    // Codex.
    "apply_patch",
    // Kinds of ACP, which stand for tools without a name.
    "delete move",
  ].flatMap((names) => names.split(" ")),
);

export function isEditTool(name: string): boolean {
  return editTools.has(name);
}

/** The files that a call of a tool would write, move or delete, as it names them. What a shell command writes is not known. */
export function editedFiles(tool: string, input: Json): string[] {
  if (!isEditTool(tool)) return [];
  const fields = fieldsOf(input);
  const changes = listOf(fields.changes).map(fieldsOf);
  const paths = changes.length > 0 ? changes.flatMap(changedPaths) : namedPaths(fields);
  return [...new Set(paths)];
}

function changedPaths({ path, kind }: Fields): string[] {
  return [path, fieldsOf(kind).move_path].flatMap((each) => textOf(each) ?? []);
}

function namedPaths(fields: Fields): string[] {
  const names = [fields.file_path, fields.filePath, fields.notebook_path, fields.path, fields.absolute_path];
  const patch = textOf(fields.patchText) ?? textOf(fields.patch) ?? "";
  const patched = patch.matchAll(/^\*\*\* (?:(?:Add|Update|Delete) File|Move to): ([^\n]+)$/gm);
  return [...names.flatMap((each) => textOf(each) ?? []), ...[...patched].map((found) => found[1]!.trim())];
}
