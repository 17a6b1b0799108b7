import type { ToolEntry } from "../../contract/session.ts";
import { isShellTool } from "../../engine/tool-kinds.ts";
import { callPlace, splitPlace, type CallPlace } from "../../text/call-place.ts";
import { isObject } from "../../text/is-object.ts";
import { parseJson } from "../../text/parse-json.ts";
import { shellWord } from "../../text/shell-word.ts";

/** Shells by names that only records have: scripts of runs, Codex, and engines that were imported. */
const recordedShells = new Set(["sh", "exec", "exec_command", "local_shell", "terminal", "run"]);

/** How a shell is asked to run a text: `bash -lc TEXT`. */
const shellProgram = /^(?:.*\/)?(?:ba|z|da|k)?sh$/;
const scriptFlag = /^-[a-z]*c$/;

/** A command that a logged call gave to a shell, and where it ran. */
export interface LoggedShellCall extends CallPlace {
  command: string;
}

/** Undefined for a call of any other tool. Args that say no command are one. */
export function shellCallIn({ name, args }: Pick<ToolEntry, "name" | "args">): LoggedShellCall | undefined {
  const plain = name.toLowerCase();
  if (!isShellTool(plain) && !recordedShells.has(plain)) return undefined;
  const words = args.startsWith("[") ? wordsIn(parseJson(args)) : undefined;
  if (words) return { command: commandOf(words), isBackground: false };
  const input = parseObjectArgs(args) ?? inputBehind(args);
  if (!input) {
    const { command, place } = splitPlace(args);
    return { command, ...place };
  }
  const given = input["command"] ?? input["cmd"];
  const list = wordsIn(given);
  const command = typeof given === "string" ? given : list ? commandOf(list) : args;
  return { command, ...callPlace(input) };
}

function wordsIn(value: unknown): string[] | undefined {
  return Array.isArray(value) && value.length > 0 && value.every((word) => typeof word === "string")
    ? value
    : undefined;
}

/** The words of a command as a shell reads them; of a shell with a script, the script. */
function commandOf(words: readonly string[]): string {
  const [program = "", flag = "", script = ""] = words;
  if (words.length === 3 && shellProgram.test(program) && scriptFlag.test(flag)) return script;
  return words.map(shellWord).join(" ");
}

/** Arguments that are a JSON object. */
export function parseObjectArgs(args: string): Record<string, unknown> | undefined {
  if (!args.startsWith("{")) return undefined;
  const value = parseJson(args);
  return isObject(value) ? value : undefined;
}

/** What a call is about may stand first, with the list of a command's words in JSON behind it. */
function inputBehind(args: string): Record<string, unknown> | undefined {
  const at = args.indexOf(' {"');
  const input = at < 0 ? undefined : parseObjectArgs(args.slice(at + 1));
  return input && wordsIn(input["command"] ?? input["cmd"]) && input;
}
