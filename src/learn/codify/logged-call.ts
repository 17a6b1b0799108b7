import type { Json } from "../../contract/json.ts";
import type { ToolEntry } from "../../contract/session.ts";
import { editedFiles } from "../../engine/edit-tools.ts";
import { objectIn } from "../../engine/read-fields.ts";
import { readFiles } from "../../engine/read-files.ts";
import { shellCallOf, toolKindOf } from "../../engine/tool-kinds.ts";

/** What a logged tool call did, as far as its name and args tell. */
export type LoggedCall =
  | { kind: "shell"; command: string }
  | { kind: "edit" | "read"; files: string[] }
  | { kind: "other" };

/** Shells by names that only records have: script steps of runs, and transcripts of Codex. */
const recordedShells = new Set(["sh", "exec_command"]);

export function loggedCallOf({ name, args }: Pick<ToolEntry, "name" | "args">): LoggedCall {
  if (recordedShells.has(name)) return { kind: "shell", command: args };
  const kind = toolKindOf(name);
  if (kind === "other") return { kind };
  if (kind === "shell") {
    const command = shellCallOf(name, inputOf(args))?.command ?? args;
    return { kind, command };
  }
  const files = kind === "edit" ? editedFiles : readFiles;
  return { kind, files: files(name, inputOf(args)) };
}

/** So far into args that were cut, the name of a file is looked for. */
const lookedChars = 4096;
const fileField = /"(?:file_path|filePath|notebook_path|absolute_path|path)":"((?:[^"\\]|\\.)*)"/;

/** A tool's input, of the text that `callArgs` made of it. */
function inputOf(args: string): Json {
  if (args.startsWith("{")) {
    const whole = objectIn(args);
    if (whole) return whole;
    const file = fileField.exec(args.slice(0, lookedChars))?.[1];
    return file === undefined ? { command: args } : { file_path: JSON.parse(`"${file}"`) as string };
  }
  if (args.startsWith("*** Begin Patch")) return { patchText: args };
  // What a call is about comes first, and the rest as JSON behind it.
  const rest = args.indexOf(' {"');
  const subject = rest > 0 && objectIn(args.slice(rest + 1)) ? args.slice(0, rest) : args;
  return { command: subject, file_path: subject };
}
