import type { PolicyEvent } from "../../contract/policy.ts";
import { editedFiles, isEditTool } from "../../engine/edit-tools.ts";
import type { PolicyCall, ToolKind } from "../../policy/call.ts";
import { fullPath } from "../../policy/paths.ts";
import { isObject } from "../../text/is-object.ts";
import { shellWord } from "../../text/shell-word.ts";

/** What surrounds a call. */
export interface CallPlace {
  /** Where the agent is; it may have gone there. */
  folder: string;
  /** Where its work began, where that is another folder. */
  start?: string | undefined;
  /** The tops of the checkout that a folder stands in, its own first, then that of the repository; itself outside of one. */
  topsOf: (folder: string) => string[];
  home: string;
  realPath: (path: string) => string;
  step?: string | undefined;
  agent?: string | undefined;
}

/** A call of a tool, as rules look at it, by the names and inputs of all engines. */
export function toolCall(event: PolicyEvent, tool: string, given: unknown, place: CallPlace): PolicyCall {
  const input = isObject(given) ? given : {};
  const { step, agent, folder, start = folder, topsOf, ...rest } = place;
  const tops = [...new Set([start, folder].flatMap(topsOf))];
  const command = commandIn(tool, input);
  const kind = kindOf(tool, command);
  return {
    ...rest,
    folder: kind === "shell" ? workFolder(input, place) : folder,
    top: tops[0] ?? folder,
    tops: [...new Set(tops.flatMap((top) => [top, rest.realPath(top)]))],
    event,
    tool,
    kind,
    input,
    withInput: (other) => toolCall(event, tool, other, place),
    ...(command !== undefined && { command }),
    paths: pathsIn(tool, kind, input),
    // A step is meant in all its attempts.
    ...(step !== undefined && { step: step.replace(/#\d+$/, "") }),
    ...(agent !== undefined && { agent }),
  };
}

const readTool = /^(?:read|glob|grep|ls|list|view|search|open|cat|notebookread)/i;
const shellTool =
  /^(?:bash|shell|run_shell_command|exec_command|exec|execute|local_shell|terminal|run_terminal_cmd|powershell|monitor)$/i;

function kindOf(tool: string, command: string | undefined): ToolKind {
  if (tool.startsWith("mcp_")) return "mcp";
  if (isEditTool(tool)) return "edit";
  if (command !== undefined || shellTool.test(tool)) return "shell";
  return readTool.test(tool) ? "read" : "other";
}

/** Engines call it `command` or `cmd`; Codex gives words. A patch stands there, too. */
function commandIn(tool: string, input: Record<string, unknown>): string | undefined {
  if (isEditTool(tool) || tool.startsWith("mcp_")) return undefined;
  const value = input["command"] ?? input["cmd"];
  if (typeof value === "string") return value;
  return Array.isArray(value) ? value.map((word) => shellWord(String(word))).join(" ") : undefined;
}

/** Some shell tools are told where to work. */
function workFolder(input: Record<string, unknown>, { folder, home }: CallPlace): string {
  const named = ["workdir", "cwd", "dir_path", "directory"].map((name) => input[name]);
  const own = named.find((each): each is string => typeof each === "string" && each !== "");
  return own === undefined ? folder : fullPath(own, folder, home);
}

const pathNames = ["file_path", "filePath", "absolute_path", "notebook_path", "path", "dir_path", "directory"];

function pathsIn(tool: string, kind: ToolKind, input: Record<string, unknown>): string[] {
  if (kind === "edit") {
    const { command } = input;
    const patch = typeof command === "string" ? { patch: command } : {};
    return editedFiles(tool, { ...patch, ...input });
  }
  const lists = [input["paths"], input["file_paths"]].flatMap((each) =>
    Array.isArray(each) ? (each as unknown[]) : [],
  );
  const pattern = /^glob/i.test(tool) ? [input["pattern"]] : [];
  const values = [...pathNames.map((name) => input[name]), ...lists, ...pattern];
  return values.flatMap((value) => (typeof value === "string" && value !== "" ? [value] : []));
}
