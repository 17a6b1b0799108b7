import type { ToolEntry } from "../../contract/session.ts";
import { isShellTool } from "../../engine/tool-kinds.ts";
import { isObject } from "../../text/is-object.ts";
import { parseJson } from "../../text/parse-json.ts";
import { shellWord } from "../../text/shell-word.ts";
import { callSubject } from "../../text/tool-call.ts";

/** Shells by names that only records have: scripts of runs, Codex, and engines that were imported. */
const recordedShells = new Set(["sh", "exec", "exec_command", "local_shell", "terminal", "run"]);

/** How a shell is asked to run a text: `bash -lc TEXT`. */
const shellProgram = /^(?:.*\/)?(?:ba|z|da|k)?sh$/;
const scriptFlag = /^-[a-z]*c$/;

/** Tools that change nothing. */
const readers = new Set([
  "read",
  "grep",
  "glob",
  "ls",
  "read_file",
  "read_many_files",
  "list_directory",
  "search_file_content",
  "webfetch",
  "websearch",
  "todowrite",
]);

/** The command that a call gives to a shell; undefined for any other call. */
export function shellCommand({ name, args }: Pick<ToolEntry, "name" | "args">): string | undefined {
  if (!isShell(name)) return undefined;
  const { command, cmd } = structured(args) ?? {};
  const given = command ?? cmd;
  if (typeof given === "string") return given;
  if (Array.isArray(given)) return commandOf(given.map(String));
  return args;
}

function isShell(name: string): boolean {
  const plain = name.toLowerCase();
  return isShellTool(plain) || recordedShells.has(plain);
}

/** The words of a command as a shell reads them; of a shell with a script, the script. */
function commandOf(words: readonly string[]): string {
  const [program = "", flag = "", script = ""] = words;
  if (words.length === 3 && shellProgram.test(program) && scriptFlag.test(flag)) return script;
  return words.map(shellWord).join(" ");
}

/** Two calls with the same key are tries at the same thing: the same command, or the same tool on the same file. */
export function callKey(call: Pick<ToolEntry, "name" | "args">): string {
  const command = shellCommand(call);
  if (command !== undefined) return `$ ${command.trim().replace(/\s+/g, " ")}`;
  const input = structured(call.args);
  const subject = input === undefined ? call.args.slice(0, firstSpace(call.args)) : (callSubject(input) ?? "");
  return `${call.name} ${subject}`;
}

export function isReader({ name }: Pick<ToolEntry, "name">): boolean {
  return readers.has(name.toLowerCase());
}

/** Arguments that are a JSON object. */
export function structured(args: string): Record<string, unknown> | undefined {
  if (!args.startsWith("{")) return undefined;
  const value = parseJson(args);
  return isObject(value) ? value : undefined;
}

function firstSpace(args: string): number {
  const at = args.search(/\s/);
  return at < 0 ? args.length : at;
}
