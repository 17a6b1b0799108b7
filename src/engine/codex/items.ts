import type { Json } from "../../contract/json.ts";
import { contentText } from "../content-text.ts";
import { fieldsOf, listOf, textOf, type Fields } from "../read-fields.ts";

/** A tool call as an item of a thread tells it, from its start to its end. */
export interface ToolItem {
  name: string;
  input: Json;
  output: string;
}

/** Undefined when the item is no tool call. Every command names its folder; `folder` is the one that goes without saying. */
export function toolIn(item: Fields, folder: string): ToolItem | undefined {
  return tools[textOf(item.type) ?? ""]?.(item, folder);
}

const tools: Record<string, (item: Fields, folder: string) => ToolItem> = {
  commandExecution: (item, folder) => {
    const cwd = textOf(item.cwd);
    return {
      name: "shell",
      input: {
        command: innerCommand(textOf(item.command) ?? ""),
        ...(cwd !== undefined && cwd !== folder && { cwd }),
      },
      output: textOf(item.aggregatedOutput) ?? "",
    };
  },
  fileChange: (item) => ({
    name: "apply_patch",
    input: { path: changedPaths(item).join(", "), changes: listOf(item.changes) },
    output: "",
  }),
  mcpToolCall: (item) => ({
    name: mcpToolName(textOf(item.server), textOf(item.tool)),
    input: item.arguments ?? {},
    output: textOf(fieldsOf(item.error).message) ?? contentText(fieldsOf(item.result).content),
  }),
  dynamicToolCall: (item) => ({
    name: textOf(item.tool) ?? "unknown",
    input: item.arguments ?? {},
    output: contentText(item.contentItems),
  }),
  webSearch: (item) => ({ name: "web_search", input: { query: textOf(item.query) ?? "" }, output: "" }),
  imageView: (item) => ({ name: "view_image", input: { path: textOf(item.path) ?? "" }, output: "" }),
  imageGeneration: (item) => ({
    name: "generate_image",
    input: { description: textOf(item.revisedPrompt) ?? "" },
    output: textOf(item.savedPath) ?? "",
  }),
  collabAgentToolCall: (item) => ({
    name: textOf(item.tool) ?? "agent",
    input: { description: textOf(item.prompt) ?? "" },
    output: "",
  }),
};

export function mcpToolName(server = "unknown", tool = "unknown"): string {
  return `mcp__${server}__${tool}`;
}

export function hasFailed({ status, exitCode, success, error, failure }: Fields): boolean {
  if (status === "failed" || status === "declined" || status === "interrupted" || success === false) return true;
  const isProblem = (value: Json | undefined): boolean => value !== undefined && value !== null;
  return (typeof exitCode === "number" && exitCode !== 0) || isProblem(error) || isProblem(failure);
}

/** The files that a change writes, moves or deletes. */
export function changedPaths(item: Fields): string[] {
  return listOf(item.changes)
    .map(fieldsOf)
    .flatMap(({ path, kind }) => [path, fieldsOf(kind).move_path])
    .flatMap((path) => textOf(path) ?? []);
}

/** What the shell is given: `ls -l` of `/bin/bash -lc 'ls -l'`. Anything else stays whole. */
export function innerCommand(command: string): string {
  const words = shellWords(command);
  const [shell = "", option = "", script] = words ?? [];
  const isShell = words?.length === 3 && /^(?:\/[\w./-]*\/)?(?:bash|zsh|dash|sh)$/.test(shell) && /^-l?c$/.test(option);
  return isShell && script !== undefined ? script : command;
}

/** The words of a command line in which nothing but quotes and backslashes is special; undefined when a quote is left open. */
function shellWords(line: string): string[] | undefined {
  const words: string[] = [];
  let word: string | undefined;
  // One part of a word at a time: quoted in either way, escaped, bare; or the space between words.
  const part = /'([^']*)'|"((?:[^"\\]|\\[\s\S])*)"|\\([\s\S])|([^\s'"\\]+)|(\s+)/y;
  while (part.lastIndex < line.length) {
    const found = part.exec(line);
    if (!found) return undefined;
    const [, single, double, escaped, bare, space] = found;
    if (space === undefined) word = (word ?? "") + (single ?? unescaped(double) ?? escaped ?? bare ?? "");
    else if (word !== undefined) words.push(word);
    if (space !== undefined) word = undefined;
  }
  return word === undefined ? words : [...words, word];
}

/** Inside double quotes a backslash hides only these. */
function unescaped(text: string | undefined): string | undefined {
  return text?.replace(/\\([$`"\\])/g, "$1");
}
