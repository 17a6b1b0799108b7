import type { ToolEntry } from "../contract/session.ts";
import { fromRedacted, type Redacted } from "../contract/redacted.ts";
import { escapeSummary, unescapeSummary } from "./escape-one-line.ts";
import { fenceMark, fenceSigns } from "../text/fence.ts";
import { hasLines, readStructuredArgs, structuredLines, withoutWhiteSpace } from "./structured-args.ts";
import { codePoints, cutToBytes, cutToCodePoints, isPlain, utf8Length } from "./text.ts";

/** Tool calls: one bullet each below `**Tool calls:**`, with long or many-line args in a fence under the bullet. */

const summaryLimit = 100;
const inlineLimit = 300;
/** Bytes of args that stand in session.md; what is longer is kept whole in a file of its own. */
const argsLimit = 16 * 1024;

/**
 * The call as it will stand in the file: result shortened to its summary with the whole beside it, args cut at the limit.
 * `keep` stores the whole args and returns the name under which they can be found. Cutting what is cut changes nothing.
 */
export function cutToolEntry(
  entry: Redacted<ToolEntry>,
  keep: (wholeArgs: Redacted<string>) => string,
): Redacted<ToolEntry> {
  const wholeArgs = fromRedacted(entry, argsOf);
  return fromRedacted(entry, (call) => cutCall(call, wholeArgs, () => keep(wholeArgs)));
}

function cutCall(entry: ToolEntry, wholeArgs: string, keepArgs: () => string): ToolEntry {
  const cut: ToolEntry = { kind: "tool", name: entry.name, args: wholeArgs, failed: entry.failed };
  const wholeResult = entry.result_full ?? entry.result ?? "";
  if (wholeResult !== "") cut.result = cutResult(wholeResult, entry.failed);
  if (cut.result !== undefined && cut.result !== wholeResult) cut.result_full = wholeResult;
  if (utf8Length(wholeArgs) > argsLimit) {
    cut.args = cutToBytes(wholeArgs, argsLimit);
    cut.cut = true;
    cut.full = keepArgs();
  } else if (entry.cut && entry.full !== undefined) {
    cut.cut = true;
    cut.full = entry.full;
  }
  return cut;
}

/** JSON that a program laid out on lines of its own goes on one line. */
function argsOf(call: ToolEntry): string {
  return (isSpacedOut(call) ? withoutWhiteSpace(call.args) : undefined) ?? call.args;
}

/** Whether the args may be JSON that a program laid out on lines of its own, or with blanks around it. */
function isSpacedOut({ args, full }: ToolEntry): boolean {
  if (full !== undefined || !args.includes("{")) return false;
  const text = args.trim();
  if (!text.startsWith("{") || !text.endsWith("}")) return false;
  return text !== args || args.includes("\\n") || !fitsInline(args);
}

/** At most 100 code points as written, escapes included; never half an escape, never half a grapheme. */
function cutResult(result: string, failed: boolean): string {
  const excess = (text: string): number => codePoints(writtenSummary(text, failed)) - summaryLimit;
  // A code point has at most two units.
  if (result.length <= 2 * summaryLimit && excess(result) <= 0) return result;
  let head = cutToCodePoints(result.slice(0, 16 * summaryLimit), summaryLimit - 1);
  // Hardly any code point is written as more than two, so that this many are too much; the last ones go one by one.
  for (let over = excess(`${head}…`); over > 0; over = excess(`${head}…`))
    head = cutToCodePoints(head, codePoints(head) - Math.max(1, Math.floor(over / 4)));
  return `${head}…`;
}

/** Whether every longer result that begins so has the summary that this beginning has. */
export function beginsAlike(beginning: string): boolean {
  return beginning.length > 2 * summaryLimit && isPlain(beginning.slice(0, summaryLimit));
}

function writtenSummary(result: string, failed: boolean): string {
  const escaped = escapeSummary(result);
  return !failed && escaped.startsWith("✗") ? `\\${escaped}` : escaped;
}

/** The bullet with all its lines. */
export function renderToolCall(entry: ToolEntry): string {
  const structured = hasLines(entry.args) ? structuredLines(entry.args) : undefined;
  const inline = !structured && fitsInline(entry.args) && entry.full === undefined;
  const call = inline && entry.args !== "" ? `${entry.name} ${entry.args}` : entry.name;
  const fileNote = entry.full === undefined ? "" : ` (whole: \`${entry.full}\`)`;
  return `- ${codeSpan(call)}${fileNote}${arrow(entry)}\n${inline ? "" : fence(entry.args, structured ?? structuredLines(entry.args))}`;
}

function arrow({ result, failed }: ToolEntry): string {
  if (result === undefined || result === "") return failed ? " → ✗" : "";
  return failed ? ` → ✗ ${escapeSummary(result)}` : ` → ${writtenSummary(result, false)}`;
}

function fitsInline(args: string): boolean {
  if (args.includes("\n") || args.includes("\r")) return false;
  return args.length <= inlineLimit || (args.length <= 2 * inlineLimit && codePoints(args) <= inlineLimit);
}

/** Code in backticks, with a fence of backticks that does not occur in it. */
function codeSpan(text: string): string {
  if (!text.includes("`")) return `\`${text}\``;
  const runs = new Set((text.match(/`+/g) ?? []).map((run) => run.length));
  let length = 1;
  while (runs.has(length)) length++;
  const ticks = "`".repeat(length);
  const needsPadding = text.startsWith("`") || text.endsWith("`");
  return needsPadding ? `${ticks} ${text} ${ticks}` : `${ticks}${text}${ticks}`;
}

/** Line ends other than `\n` would be rewritten by editors and git, so such text is escaped and says so. */
function fence(args: string, structured: string[] | undefined): string {
  if (structured) return fenced("yaml", structured);
  if (!args.includes("\r")) return fenced("text", args.split("\n"));
  const text = args.replace(/[\\\r]/g, (char) => (char === "\r" ? "\\r" : "\\\\"));
  return fenced("text escaped", text.split("\n"));
}

function fenced(info: string, lines: string[]): string {
  const ticks = fenceSigns(lines.join("\n"));
  const indented = lines.map((line) => (line === "" ? "\n" : `  ${line}\n`));
  return `  ${ticks}${info}\n${indented.join("")}  ${ticks}\n`;
}

const wholePattern = /^ \(whole: `([^`\n]+)`\)/;

/** Reads one bullet with the lines below it; `undefined` when it is not a tool call. */
export function parseToolCall(text: string): ToolEntry | undefined {
  const firstEnd = text.indexOf("\n");
  const first = firstEnd < 0 ? text : text.slice(0, firstEnd);
  const span = readCodeSpan(first, 2);
  if (!span) return undefined;
  const space = span.text.indexOf(" ");
  const entry: ToolEntry =
    space < 0
      ? { kind: "tool", name: span.text, args: "", failed: false }
      : { kind: "tool", name: span.text.slice(0, space), args: span.text.slice(space + 1), failed: false };
  let rest = first.slice(span.end);
  const fileMatch = rest.startsWith(" (whole:") ? wholePattern.exec(rest) : null;
  if (fileMatch) {
    entry.cut = true;
    entry.full = fileMatch[1]!;
    rest = rest.slice(fileMatch[0].length);
  }
  readArrow(rest, entry);
  if (firstEnd >= 0 && firstEnd + 1 < text.length) readFence(text.slice(firstEnd + 1), entry);
  return entry;
}

function readCodeSpan(line: string, from: number): { text: string; end: number } | undefined {
  if (line.charCodeAt(from) !== 96) return undefined;
  let open = from;
  while (line.charCodeAt(open) === 96) open++;
  const length = open - from;
  let at = line.indexOf("`", open);
  while (at >= 0) {
    let close = at;
    while (line.charCodeAt(close) === 96) close++;
    if (close - at === length) return { text: unpad(line.slice(open, at)), end: close };
    at = line.indexOf("`", close);
  }
  return undefined;
}

function unpad(text: string): string {
  if (text.charCodeAt(0) !== 32 || text.length <= 2) return text;
  return text.endsWith(" ") && text.includes("`") ? text.slice(1, -1) : text;
}

function readArrow(rest: string, entry: ToolEntry): void {
  if (!rest.startsWith(" →")) return;
  let summary = rest.slice(rest.startsWith(" → ") ? 3 : 2);
  if (summary === "✗" || summary.startsWith("✗ ")) {
    entry.failed = true;
    summary = summary.slice(2);
  }
  if (summary !== "") entry.result = unescapeSummary(summary);
}

function readFence(text: string, entry: ToolEntry): void {
  const lines = text.split("\n");
  if (lines.at(-1) === "") lines.pop();
  const open = fenceMark(lines[0] ?? "");
  if (!open) return;
  const close = lines.findLastIndex((line) => line.trimEnd() === `  ${open.signs}`);
  const inner = lines.slice(1, close > 0 ? close : undefined);
  const unindented = inner.map((line) => (line.startsWith("  ") ? line.slice(2) : line));
  const args = open.info === "yaml" ? readStructuredArgs(unindented) : undefined;
  entry.args = args ?? readText(unindented.join("\n"), open.info);
}

function readText(text: string, info: string): string {
  if (!info.endsWith("escaped")) return text;
  return text.replace(/\\([\\r])/g, (_, char: string) => (char === "r" ? "\r" : "\\"));
}
