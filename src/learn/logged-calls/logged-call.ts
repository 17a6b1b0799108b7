import type { Json } from "../../contract/json.ts";
import type { ToolEntry } from "../../contract/session.ts";
import { editedFiles } from "../../engine/edit-tools.ts";
import { objectIn } from "../../engine/read-fields.ts";
import { readFiles } from "../../engine/read-files.ts";
import { toolKindOf } from "../../engine/tool-kinds.ts";
import { shellCallIn, type LoggedShellCall } from "./shell-call.ts";

/** What a logged tool call did, as far as its name and args tell. */
export type LoggedCall =
  | ({ kind: "shell" } & LoggedShellCall)
  | { kind: "edit" | "read"; files: string[] }
  | { kind: "other" };

export function loggedCallOf(call: Pick<ToolEntry, "name" | "args">): LoggedCall {
  const shell = shellCallIn(call);
  if (shell) return { kind: "shell", ...shell };
  const { name, args } = call;
  const kind = toolKindOf(name);
  if (kind !== "edit" && kind !== "read") return { kind: "other" };
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
    return file === undefined ? {} : { file_path: JSON.parse(`"${file}"`) as string };
  }
  if (args.startsWith("*** Begin Patch")) return { patchText: args };
  // What a call is about comes first, and the rest as JSON behind it.
  const rest = args.indexOf(' {"');
  const subject = rest > 0 && objectIn(args.slice(rest + 1)) ? args.slice(0, rest) : args;
  return { file_path: subject };
}
