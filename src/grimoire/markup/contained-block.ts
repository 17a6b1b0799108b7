import { isBlankLine } from "../../text/blank-line.ts";
import { closesFence, marginFence } from "../../text/fence.ts";
import { openHtmlBlock } from "./html-block.ts";
import type { SourceLine } from "./source-lines.ts";

/** What a line stands in: a quotation, or a list's item whose text begins in a column. */
type Container = "quotation" | { column: number };

const quotation = /^ {0,3}>[ \t]?/;
const item = /^ {0,3}(?:[-*+]|\d{1,9}[.)])(?=[ \t])/;
/** More inside each other are no text for people. */
const mostContainers = 20;

/**
 * The line behind a block of code or HTML that begins in a list or a quotation, at the same line as that; undefined when none
 * begins there. Its lines are a part of that text, and it ends with the list or the quotation, closed or not.
 */
export function endOfContainedBlock(lines: readonly SourceLine[], at: number): number | undefined {
  const { text } = lines[at]!;
  if (!/`{3}|~{3}|</.test(text)) return undefined;
  const { containers, rest } = containersOf(text);
  if (containers.length === 0) return undefined;
  const mark = marginFence(rest);
  const ends = mark ? (line: string): boolean => closesFence(line, mark.signs) : openHtmlBlock(rest)?.ends;
  if (!ends) return undefined;
  let end = at + 1;
  while (end < lines.length) {
    const inside = within(containers, lines[end]!.text);
    if (inside === undefined) break;
    end++;
    if (ends(inside)) break;
  }
  return end;
}

/** The quotations and items that a line opens, and what stands behind their marks. */
function containersOf(line: string): { containers: Container[]; rest: string } {
  const containers: Container[] = [];
  let rest = line;
  while (containers.length < mostContainers) {
    const quote = quotation.exec(rest);
    const bullet = quote ? null : item.exec(rest);
    if (quote) {
      rest = rest.slice(quote[0].length);
      containers.push("quotation");
    } else if (bullet) {
      const blanks = blanksAt(rest, bullet[0].length);
      // Five blanks or more make the text behind them code that is indented.
      const column = blanks.width > 4 ? bullet[0].length + 1 : bullet[0].length + blanks.width;
      rest = " ".repeat(bullet[0].length + blanks.width - column) + rest.slice(bullet[0].length + blanks.count);
      containers.push({ column });
    } else break;
  }
  return { containers, rest };
}

/** What a line says inside these containers; undefined where one of them has ended. */
function within(containers: readonly Container[], line: string): string | undefined {
  let rest = line;
  for (const container of containers) {
    if (container === "quotation") {
      const quote = quotation.exec(rest);
      if (!quote) return undefined;
      rest = rest.slice(quote[0].length);
    } else if (!isBlankLine(rest)) {
      const blanks = blanksAt(rest, 0);
      if (blanks.width < container.column) return undefined;
      rest = " ".repeat(blanks.width - container.column) + rest.slice(blanks.count);
    }
  }
  return rest;
}

/** The blanks from a place on, and how many columns they take. Tabs go to the next multiple of four. */
function blanksAt(line: string, from: number): { count: number; width: number } {
  let count = 0;
  let column = from;
  for (; line[from + count] === " " || line[from + count] === "\t"; count++)
    column += line[from + count] === " " ? 1 : 4 - (column % 4);
  return { count, width: column - from };
}
