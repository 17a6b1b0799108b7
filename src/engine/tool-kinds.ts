import type { Json } from "../contract/json.ts";
import type { ToolKind } from "../contract/evidence.ts";
import { callPlace, type CallPlace } from "../text/call-place.ts";
import { isEditTool } from "./edit-tools.ts";
import { fieldsOf, textOf } from "./read-fields.ts";

const namesOf = (...lines: string[]): ReadonlySet<string> => new Set(lines.flatMap((line) => line.split(" ")));

/** Tools that run a command: of Claude and the scripted engine, Qwen and Gemini, Codex, opencode; a kind of ACP. */
const shellTools = namesOf("Bash", "run_shell_command", "shell", "bash", "execute");

/** Tools that only look: of Claude, Qwen and Gemini, opencode; kinds of ACP. */
const readTools = namesOf(
  "Read Glob Grep LS",
  "read_file read_many_files glob grep_search search_file_content list_directory",
  "read grep list",
  "search",
);

export function isShellTool(name: string): boolean {
  return shellTools.has(name);
}

export function isReadTool(name: string): boolean {
  return readTools.has(name);
}

/** What a tool does, by the name that its engine gives it. */
export function toolKindOf(name: string): ToolKind {
  if (isShellTool(name)) return "shell";
  if (isEditTool(name)) return "edit";
  return isReadTool(name) ? "read" : "other";
}

/** A command of a call that runs one, and where it runs. */
export interface ShellCall extends CallPlace {
  command: string;
}

/** Undefined when a call runs no command. */
export function shellCallOf(tool: string, input: Json): ShellCall | undefined {
  const fields = fieldsOf(input);
  const { command } = fields;
  const words =
    Array.isArray(command) && command.every((word) => typeof word === "string") ? command.join(" ") : undefined;
  const text = textOf(command) ?? words;
  return isShellTool(tool) && text !== undefined ? { command: text, ...callPlace(fields) } : undefined;
}
