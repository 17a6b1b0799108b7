import { fenceMark } from "../../text/fence.ts";
import { escapeInline } from "./inline.ts";

/** A line of data that stands at the start of a line: headings, lists, quotes, tables and the like cannot begin there. */
export function escapeLine(line: string): string {
  let at = 0;
  while (line[at] === " " || line[at] === "\t") at++;
  const first = line[at];
  if (first === undefined || !startsBlocks.has(first)) return escapeInline(line);
  const rest = line.slice(at);
  if (isRule(rest)) return line.slice(0, at) + rest.replace(/[*_]/g, "\\$&");
  if (first === "~" && fenceMark(rest)) {
    const end = at + /^~+/.exec(rest)![0].length;
    return line.slice(0, at) + "\\~".repeat(end - at) + escapeInline(line, {}, end);
  }
  const mark = at + blockMark(rest);
  if (mark < at) return escapeInline(line);
  return `${line.slice(0, mark)}\\${line[mark]!}${escapeInline(line, {}, mark + 1)}`;
}

const startsBlocks = new Set("#>+-*_=|:~[<0123456789");

/** `***` and `___`, also with spaces between. */
function isRule(rest: string): boolean {
  return /^(?:\*[ \t]*){3,}$/.test(rest) || /^(?:_[ \t]*){3,}$/.test(rest);
}

/** A label that ends on its line, with nothing behind it that makes it a definition. */
const plainLabel = /^\[[^[\]\\`]*\](?![:([])/;

/** Where the backslash goes that keeps a line from beginning a block; -1 when it begins none. */
function blockMark(rest: string): number {
  switch (rest[0]!) {
    case "#":
      return /^#{1,6}(?:[ \t]|$)/.test(rest) ? 0 : -1;
    case ">":
      return 0;
    // Git's mark for a conflict.
    case "<":
      return rest.startsWith("<<<<<<< ") ? 0 : -1;
    case "=":
      return /^=+[ \t]*$/.test(rest) ? 0 : -1;
    case "+":
    case "*":
      return /^.(?:[ \t]|$)/.test(rest) ? 0 : -1;
    case "-":
      return /^-(?:[ \t]|$)/.test(rest) || isTableRow(rest) ? 0 : -1;
    case "|":
    case ":":
      return isTableRow(rest) ? 0 : -1;
    case "[":
      return plainLabel.test(rest) ? -1 : 0;
    default: {
      const number = /^\d{1,9}(?=[.)](?:[ \t]|$))/.exec(rest);
      return number ? number[0].length : -1;
    }
  }
}

/** The row of dashes below a table's head; a line of dashes alone would make a heading of the line above. */
function isTableRow(rest: string): boolean {
  return /^[-|: \t\v\f]+$/.test(rest) && rest.includes("-");
}
