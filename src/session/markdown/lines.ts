import { codeLines, isIndented, type BlockPlace } from "./code-blocks.ts";
import { isBlankLine } from "../../text/blank-line.ts";
import { escapeInline, unescapeInline } from "./inline.ts";
import { escapeLine } from "./line-start.ts";

/**
 * Data of several lines as lines of markdown, and back. A line ends in two spaces when another one follows that is not
 * empty, so that a page breaks where an editor does. Closed fences and indented blocks are code and stay as they are.
 */

interface WriteRules extends BlockPlace {
  /** A line that begins so would read as a field of the entry. */
  fields?: RegExp | undefined;
  /** The piece may stand below a list that a person wrote, where indentation means something else. */
  hidesIndent?: boolean;
  /** Whether these lines may stay code; asked with all of them. */
  isCode?: (line: string) => boolean;
}

/** Texts without any of this, on one line, are themselves. */
const everyday = /^[^\\`*_~<&\][\r\n#>+=|\d \t:-][^\\`*_~<&\]\r\n]*$/;

export function toMarkdown(text: string, rules: WriteRules): string[] {
  if (everyday.test(text) && !rules.fields?.test(text)) return [text];
  const lines = text.split("\n");
  const code = codeLinesOf(text, lines, rules);
  let isOpen = rules.continues || rules.isInline;
  return lines.map((line, at) => {
    const isInline = at === 0 && rules.isInline;
    if (code?.[at] || (!isInline && isBlankLine(line))) {
      isOpen = false;
      return line;
    }
    const hidesIndent = !isInline && ((rules.hidesIndent && at === 0) || (!isOpen && isIndented(line, rules.column)));
    isOpen = true;
    const next = lines[at + 1];
    const end = next !== undefined && !isBlankLine(next) ? "  " : "";
    return (isInline ? escapeInline(line) : asText(line, hidesIndent, rules.fields)) + end;
  });
}

function codeLinesOf(text: string, lines: string[], rules: WriteRules): boolean[] | undefined {
  if (text.includes("\r")) return undefined;
  const code = codeLines(lines, rules);
  if (!code || (!rules.fields && !rules.isCode)) return code;
  const isForeign = (line: string): boolean => rules.fields?.test(line) || rules.isCode?.(line) === false;
  return lines.some((line, at) => code[at] && isForeign(line)) ? undefined : code;
}

function asText(line: string, hidesIndent: boolean, fields: RegExp | undefined): string {
  const text = escapeLine(line);
  if (fields?.test(line)) return text.replace(":", "\\:");
  if (!hidesIndent || !/^[ \t]/.test(text)) return text;
  return `${text[0] === " " ? "&#32;" : "&#9;"}${text.slice(1)}`;
}

/** The data that stands in these lines. */
export function fromMarkdown(lines: string[], place: BlockPlace): string {
  if (lines.length === 1 && (place.continues || place.isInline)) return unescapeInline(lines[0]!);
  const code = codeLines(lines, place);
  let text = "";
  for (let at = 0; at < lines.length; at++) {
    const line = lines[at]!;
    if (at > 0) text += "\n";
    if (code?.[at]) text += line;
    else text += unescapeInline(breaks(lines, at, place) ? line.slice(0, -2) : line);
  }
  return text;
}

/** Whether the line ends in the two spaces that break it on a page. */
function breaks(lines: string[], at: number, place: BlockPlace): boolean {
  const line = lines[at]!;
  const next = lines[at + 1];
  if (next === undefined || !line.endsWith("  ") || isBlankLine(next)) return false;
  return (at === 0 && place.isInline) || !isBlankLine(line);
}
