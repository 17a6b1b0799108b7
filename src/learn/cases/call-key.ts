import type { ToolEntry } from "../../contract/session.ts";
import { isReadTool, isShellTool } from "../../engine/tool-kinds.ts";
import { isObject } from "../../text/is-object.ts";
import { parseJson } from "../../text/parse-json.ts";
import { shellWord } from "../../text/shell-word.ts";
import { loggedCallOf } from "../codify/logged-call.ts";

/** Shells by names that only records have: scripts of runs, Codex, and engines that were imported. */
const recordedShells = new Set(["sh", "exec", "exec_command", "local_shell", "terminal", "run"]);

/** How a shell is asked to run a text: `bash -lc TEXT`. */
const shellProgram = /^(?:.*\/)?(?:ba|z|da|k)?sh$/;
const scriptFlag = /^-[a-z]*c$/;

/** Tools that read no file, and change nothing either. */
const lookers = new Set(["ls", "webfetch", "websearch", "web_fetch", "google_web_search", "todowrite"]);

/** A command, and the folder that its call names. */
export interface ShellCall {
  command: string;
  folder: string;
}

/** The command that a call gives to a shell; undefined for any other call. */
export function shellCommand(call: Pick<ToolEntry, "name" | "args">): string | undefined {
  return shellCall(call)?.command;
}

/** The same with its folder; "" where it names none. */
export function shellCall({ name, args }: Pick<ToolEntry, "name" | "args">): ShellCall | undefined {
  if (!isShell(name)) return undefined;
  const words = args.startsWith("[") ? wordsIn(parseJson(args)) : undefined;
  if (words) return { command: commandOf(words), folder: "" };
  const { command, cmd, workdir, cwd } = structured(args) ?? inputBehind(args) ?? {};
  const folder = [workdir, cwd].find((each) => typeof each === "string") ?? "";
  const given = command ?? cmd;
  if (typeof given === "string") return { command: given, folder };
  const list = wordsIn(given);
  return { command: list ? commandOf(list) : args, folder };
}

function isShell(name: string): boolean {
  const plain = name.toLowerCase();
  return isShellTool(plain) || recordedShells.has(plain);
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

/**
 * Two calls with the same key are tries at the same thing: the same command in the same folder, the same tool on the same
 * files, or the very same call. Nothing is loosened: a command with other flags is another one.
 */
export function callKey(call: Pick<ToolEntry, "name" | "args">): string {
  const shell = shellCall(call);
  if (shell) return `$ ${normalCommand(shell.command)}${shell.folder === "" ? "" : `\0${shell.folder}`}`;
  // Where nothing is structured, a file's name is all that there is.
  if (!/[{*]/.test(call.args)) return `${call.name} ${call.args}`;
  const logged = loggedCallOf(call);
  const files = "files" in logged ? logged.files : [];
  return `${call.name} ${files.length > 0 ? files.join("\0") : call.args}`;
}

/** Spaces mean nothing where nothing is quoted or escaped. */
function normalCommand(command: string): string {
  const trimmed = command.trim();
  return /["'`\\]/.test(trimmed) ? trimmed : trimmed.replace(/[ \t]+/g, " ");
}

/** Whether a call changes nothing. */
export function isReader({ name }: Pick<ToolEntry, "name">): boolean {
  return isReadTool(name) || lookers.has(name.toLowerCase());
}

/** Arguments that are a JSON object. */
export function structured(args: string): Record<string, unknown> | undefined {
  if (!args.startsWith("{")) return undefined;
  const value = parseJson(args);
  return isObject(value) ? value : undefined;
}

/** What a call is about may stand first, with the list of a command's words in JSON behind it. */
function inputBehind(args: string): Record<string, unknown> | undefined {
  const at = args.indexOf(' {"');
  const input = at < 0 ? undefined : structured(args.slice(at + 1));
  return input && wordsIn(input["command"] ?? input["cmd"]) && input;
}
