import type { ToolEntry } from "../../contract/session.ts";
import { isReadTool } from "../../engine/tool-kinds.ts";
import { loggedCallOf } from "../logged-calls/logged-call.ts";
import { shellCallIn } from "../logged-calls/shell-call.ts";

/** Tools that read no file, and change nothing either. */
const lookers = new Set(["ls", "webfetch", "websearch", "web_fetch", "google_web_search", "todowrite"]);

/** The command that a call gives to a shell; undefined for any other call. */
export function shellCommand(call: Pick<ToolEntry, "name" | "args">): string | undefined {
  return shellCallIn(call)?.command;
}

/**
 * Two calls with the same key are tries at the same thing: the same command in the same folder, the same tool on the same
 * files, or the very same call. Nothing is loosened: a command with other flags is another one.
 */
export function callKey(call: Pick<ToolEntry, "name" | "args">): string {
  const shell = shellCallIn(call);
  if (shell) {
    const { command, folder, isBackground } = shell;
    return `$ ${normalCommand(command)}${folder === undefined ? "" : `\0${folder}`}${isBackground ? "\0&" : ""}`;
  }
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
