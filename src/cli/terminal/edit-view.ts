import type { Screen } from "../context.ts";
import { cleanLine } from "./clean.ts";
import { fit } from "./width.ts";

/** More lines of one edit are counted, not shown. */
const maxLines = 12;

/** What a call changes in files, as lines of a diff; none for calls that change nothing, or do not tell what. */
export function editLines(input: unknown, { colors, width }: Screen): string[] {
  const changes = changesIn(input);
  const shown = changes.slice(0, maxLines).map((line) => {
    const text = `  ${fit(cleanLine(line), width - 3)}`;
    return line.startsWith("+") ? colors.green(text) : line.startsWith("-") ? colors.red(text) : colors.dim(text);
  });
  const left = changes.length - shown.length;
  return left > 0 ? [...shown, colors.dim(`  … ${left} more lines`)] : shown;
}

/** Engines name these fields differently: Claude, Qwen and Gemini give both texts, Codex a diff for each file. */
function changesIn(input: unknown): string[] {
  if (typeof input !== "object" || input === null) return [];
  const fields = input as Record<string, unknown>;
  if (Array.isArray(fields["changes"])) return fields["changes"].flatMap(diffLines);
  if (typeof fields["diff"] === "string") return diffLines(fields);
  const before = textIn(fields, ["old_string", "oldString", "oldText"]);
  const after = textIn(fields, ["new_string", "newString", "newText", "content"]);
  return [...linesOf(before, "-"), ...linesOf(after, "+")];
}

function diffLines(change: unknown): string[] {
  const { diff } = (change ?? {}) as { diff?: unknown };
  if (typeof diff !== "string") return [];
  const lines = diff.trimEnd().split("\n");
  const isDiff = lines.some((line) => /^(?:@@|[+-])/.test(line));
  return isDiff ? lines.filter((line) => /^[+-](?![+-]{2})/.test(line)) : lines.map((line) => `+${line}`);
}

function textIn(fields: Record<string, unknown>, names: string[]): string {
  const value = names.map((name) => fields[name]).find((each) => typeof each === "string");
  return typeof value === "string" ? value : "";
}

function linesOf(text: string, sign: string): string[] {
  return text === ""
    ? []
    : text
        .replace(/\n$/, "")
        .split("\n")
        .map((line) => `${sign}${line}`);
}
