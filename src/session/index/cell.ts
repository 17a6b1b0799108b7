import { IndexDamaged } from "./damaged.ts";
import { unicodeEscape } from "../../text/unicode-escape.ts";

/** A cell of a TOON table. Own code, because the library takes too long for a save; its `encode` is the test's oracle. */
export type ToonCell = string | number | boolean | null;

const unsafe = /^[ \t#-]|[ \t]$|[:"\\[\]{},\u0000-\u001f]/;
const numberLike = /^[+-]?\d+(?:\.\d+)?(?:e[+-]?\d+)?$/i;

export function writeCell(value: ToonCell): string {
  if (typeof value === "number") return writeNumber(value);
  if (typeof value !== "string") return String(value);
  return isPlain(value) ? value : `"${escapeText(value)}"`;
}

/** Whether a reader takes the bare text for this very text: not for a number, a literal or a mark of the format. */
function isPlain(text: string): boolean {
  if (text === "" || text === "true" || text === "false" || text === "null") return false;
  return !unsafe.test(text) && !numberLike.test(text);
}

export function writeLine(values: ToonCell[]): string {
  let line = writeCell(values[0] ?? null);
  for (let column = 1; column < values.length; column += 1) line += `,${writeCell(values[column] ?? null)}`;
  return line;
}

/** TOON has no -0 and no infinities. */
function writeNumber(value: number): string {
  return Number.isFinite(value) ? String(value === 0 ? 0 : value) : "null";
}

const shortEscapes: Record<string, string> = { "\\": "\\\\", '"': '\\"', "\n": "\\n", "\r": "\\r", "\t": "\\t" };

/** Works character by character: the escaped form of a part is a part of the escaped whole. */
export function escapeText(text: string): string {
  return text.replace(/[\\"\u0000-\u001f]/g, (char) => shortEscapes[char] ?? unicodeEscape(char));
}

/** The first cells of a line as text; a bare `null` is null, and the caller knows which columns are numbers. */
export function readCells(line: string, most = Infinity): (string | null)[] {
  const cells: (string | null)[] = [];
  let at = 0;
  for (;;) {
    let end: number;
    if (line.charCodeAt(at) === quote) {
      end = closingQuote(line, at) + 1;
      cells.push(unescapeText(line.slice(at + 1, end - 1)));
    } else {
      const comma = line.indexOf(",", at);
      end = comma < 0 ? line.length : comma;
      const bare = line.slice(at, end);
      cells.push(bare === "null" ? null : bare);
    }
    if (end === line.length || cells.length === most) return cells;
    if (line[end] !== ",") throw new IndexDamaged(`text after a quoted cell: ${line}`);
    at = end + 1;
  }
}

const quote = 0x22;
const backslash = 0x5c;

function closingQuote(line: string, open: number): number {
  for (let at = line.indexOf('"', open + 1); at >= 0; at = line.indexOf('"', at + 1)) {
    let slashes = 0;
    while (line.charCodeAt(at - 1 - slashes) === backslash) slashes += 1;
    if (slashes % 2 === 0) return at;
  }
  throw new IndexDamaged(`a quote that does not close: ${line}`);
}

const longEscapes: Record<string, string> = { n: "\n", r: "\r", t: "\t" };

function unescapeText(text: string): string {
  if (!text.includes("\\")) return text;
  return text.replace(/\\(?:u([0-9a-f]{4})|(.))/g, (_, hex: string | undefined, char: string) =>
    hex ? String.fromCharCode(Number.parseInt(hex, 16)) : (longEscapes[char] ?? char),
  );
}
