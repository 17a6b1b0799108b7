import type { CallAction } from "../../contract/engine.ts";
import type { Json } from "../../contract/json.ts";
import { fieldsOf, listOf, numberOf, textOf, type Fields } from "../read-fields.ts";

/**
 * The tool's name. ACP has no field for it: some agents add one, opencode announces a call by it, Gemini begins the call's
 * id with it. Where none does, the kind stands for it.
 */
export function nameOf(call: Fields, announcedTitle: string | undefined): string {
  const meta = fieldsOf(call._meta);
  const named = textOf(meta.toolName) ?? textOf(fieldsOf(meta.claudeCode).toolName) ?? textOf(call.name);
  if (named !== undefined) return named;
  if (announcedTitle !== undefined && /^[\w-]+$/.test(announcedTitle)) return announcedTitle;
  const inId = /^([a-z]\w*?)__/.exec(textOf(call.toolCallId) ?? "")?.[1];
  return inId ?? textOf(call.kind) ?? "tool";
}

/** What the tool was given. Gemini does not tell it: what it shows to a person stands for it. */
export function inputOf(call: Fields): Json {
  const raw = fieldsOf(call.rawInput);
  if (Object.keys(raw).length > 0) return raw;
  const title = textOf(call.title);
  if (call.kind === "execute" && title !== undefined) return { command: title };
  const [path] = pathsOf(call);
  const diff = diffsOf(call).join("\n");
  if (path !== undefined) return { file_path: path, ...(diff !== "" && { diff }) };
  return title === undefined ? {} : { title };
}

/** What the tool gave: its texts and changes, or else what it gave to the model. */
export function outputOf(call: Fields): string {
  const parts = listOf(call.content).flatMap((item) => {
    const { type, content, ...diff } = fieldsOf(item);
    if (type === "diff") return diffText(diff);
    return type === "content" ? acpContentText(fieldsOf(content)) : [];
  });
  if (parts.length > 0) return parts.join("\n");
  const raw = fieldsOf(call.rawOutput);
  return [call.rawOutput, raw.output, raw.error, raw.text].map(textOf).find(Boolean) ?? "";
}

/** How a command ended, where the agent tells it. Gemini does not: it calls a failed command a success. */
export function exitCodeOf(call: Fields): number | undefined {
  const raw = fieldsOf(call.rawOutput);
  const told = [raw.exit_code, raw.exitCode, fieldsOf(raw.metadata).exit].find((each) => typeof each === "number");
  return call.kind === "execute" && Number.isInteger(told) ? numberOf(told) : undefined;
}

/** The text of a content block; the name of one that has none. */
export function acpContentText({ type, text }: Fields): string {
  return typeof text === "string" ? text : `[${textOf(type) ?? "unknown"}]`;
}

/** The names under which engines know the tool that takes an agent's result. */
const resultTools = new Set(["mcp__clew__submit_result", "mcp_clew_submit_result", "clew_submit_result"]);

/** Undefined where it cannot be told: then a person is asked. */
export function actionOf(call: Fields, name: string): CallAction | undefined {
  if (resultTools.has(name)) return { kind: "result" };
  const paths = pathsOf(call);
  switch (call.kind) {
    case "execute": {
      const command = commandOf(call);
      return command === undefined ? undefined : { kind: "run", command };
    }
    case "edit":
    case "delete":
      return { kind: "edit", paths };
    case "read":
    case "search":
      // Of a call that names no place it is not known where it looks.
      return paths.length === 0 ? undefined : { kind: "read", paths };
    default:
      return undefined;
  }
}

function commandOf(call: Fields): string | undefined {
  const { command } = fieldsOf(call.rawInput);
  if (Array.isArray(command)) return command.every((word) => typeof word === "string") ? command.join(" ") : undefined;
  const text = textOf(command) ?? textOf(call.title);
  // What was cut off may do anything.
  return text === undefined || /(?:…|\.\.\.)$/.test(text.trimEnd()) ? undefined : text;
}

function pathsOf(call: Fields): string[] {
  const raw = fieldsOf(call.rawInput);
  const diffs = listOf(call.content)
    .map(fieldsOf)
    .filter(({ type }) => type === "diff");
  const all = [...listOf(call.locations).map(fieldsOf), ...diffs].map(({ path }) => path);
  const given = [raw.file_path, raw.filePath, raw.filepath, raw.path, raw.absolute_path];
  return [...new Set([...all, ...given].flatMap((path) => textOf(path) ?? []))];
}

function diffsOf(call: Fields): string[] {
  return listOf(call.content)
    .map(fieldsOf)
    .filter(({ type }) => type === "diff")
    .map(diffText);
}

/** The lines that change, without those around them. */
function diffText({ path, oldText, newText }: Fields): string {
  const before = linesOf(oldText);
  const after = linesOf(newText);
  let start = 0;
  while (start < before.length && start < after.length && before[start] === after[start]) start += 1;
  let tail = 0;
  const most = Math.min(before.length, after.length) - start;
  while (tail < most && before.at(-1 - tail) === after.at(-1 - tail)) tail += 1;
  const changed = (lines: string[], sign: string): string[] =>
    lines.slice(start, lines.length - tail).map((line) => sign + line);
  return [`${textOf(path) ?? "unknown"}:`, ...changed(before, "-"), ...changed(after, "+")].join("\n");
}

function linesOf(text: Json | undefined): string[] {
  const lines = (textOf(text) ?? "").split("\n");
  if (lines.at(-1) === "") lines.pop();
  return lines;
}
