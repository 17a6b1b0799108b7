import { closesFence, marginFence } from "../../text/fence.ts";
import type { Screen } from "../context.ts";
import { clean } from "./clean.ts";
import type { Colors } from "./colors.ts";
import { paintInline } from "./markdown-inline.ts";
import { wrapWords } from "./wrap.ts";

/**
 * Markdown as a terminal shows it, line by line, in at most `columns`: headings, lists, fences, quotes and callouts, and what
 * stands inside lines. Lines end where the text ends them, and between words where the terminal does. In a pipe the text
 * stays as it is.
 */
export function markdownLines(screen: Omit<Screen, "nowMs">, text: string, columns: number): string[] {
  const lines = clean(text).split("\n");
  if (!screen.onTerminal) return lines;
  const output: string[] = [];
  let fence: string | undefined;
  for (const line of lines) {
    if (fence !== undefined) {
      if (closesFence(line, fence)) fence = undefined;
      else output.push(...codeLines(screen.colors, line, columns));
      continue;
    }
    const mark = marginFence(line);
    if (mark) {
      fence = mark.signs;
      const language = mark.info.trim();
      if (language !== "") output.push(screen.colors.dim(language));
    } else output.push(...proseLines(screen.colors, line, columns));
  }
  return output;
}

function codeLines({ dim }: Colors, line: string, columns: number): string[] {
  return hang(line.trimEnd(), columns, `${dim("│")} `, `${dim("┊")} `, 2, line.length - line.trimStart().length);
}

function proseLines(colors: Colors, line: string, columns: number): string[] {
  const heading = /^(#{1,6})[ \t]+(\S.*)$/.exec(line);
  if (heading) {
    const paint =
      heading[1]!.length === 1 ? (text: string): string => colors.bold(colors.underline(text)) : colors.bold;
    return wrapWords(heading[2]!, columns).map((each) => paint(each));
  }
  if (/^ {0,3}(?:-{3,}|\*{3,}|_{3,})\s*$/.test(line)) return [colors.dim("─".repeat(Math.min(columns, 40)))];
  const quote = /^ {0,3}> ?(.*)$/.exec(line);
  if (quote) return quoteLines(colors, quote[1]!, columns);
  const item = /^(\s*)([-*+]|\d{1,9}[.)])[ \t]+(\S.*)$/.exec(line);
  if (item) return listItemLines(colors, item[1]!.length, item[2]!, item[3]!, columns);
  const indent = line.length - line.trimStart().length;
  const margin = " ".repeat(Math.min(indent, Math.floor(columns / 2)));
  return hang(paintInline(colors, line.trim()), columns, margin, margin, margin.length);
}

function listItemLines(colors: Colors, depth: number, mark: string, text: string, columns: number): string[] {
  const task = /^\[([ xX])\] (.*)$/.exec(text);
  const bullet = task ? (task[1] === " " ? colors.dim("○") : colors.green("✓")) : /\d/.test(mark) ? mark : "•";
  const margin = " ".repeat(Math.min(depth, Math.floor(columns / 2)));
  const width = margin.length + (/\d/.test(mark) && !task ? mark.length : 1) + 1;
  return hang(paintInline(colors, task?.[2] ?? text), columns, `${margin}${bullet} `, " ".repeat(width), width);
}

/** A quote, or the first line of a callout: `> [!note] Title`. */
function quoteLines(colors: Colors, text: string, columns: number): string[] {
  const callout = /^\[!([A-Za-z_-]{1,30})\][+-]?(.*)$/.exec(text);
  const bar = `${colors.blue("▌")} `;
  const body = callout
    ? `${colors.bold(callout[1]!.replaceAll("_", " "))}${paintInline(colors, callout[2]!)}`
    : paintInline(colors, text);
  return hang(body, columns, bar, bar, 2);
}

/** Lines behind a beginning of so many columns; those that go on have another one. */
function hang(text: string, columns: number, first: string, more: string, width: number, indent = 0): string[] {
  const room = Math.max(12, columns - width);
  const codeIndent = " ".repeat(Math.min(indent, Math.floor(room / 2)));
  return wrapWords(text.trimStart(), room - codeIndent.length).map((each, at) =>
    `${at === 0 ? first : more}${codeIndent}${each}`.trimEnd(),
  );
}
