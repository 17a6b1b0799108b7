/** A stretch of a text that is the same in the file: where it begins in the value and in the source, and its length. */
export interface Run {
  valueStart: number;
  sourceStart: number;
  length: number;
}

/** The runs of a plain or quoted scalar: what lies between its escapes and its line breaks. */
export function flowRuns(source: string): Run[] {
  const quote = source[0] === '"' || source[0] === "'" ? source[0] : "";
  const isClosed = quote !== "" && source.length > 1 && source.endsWith(quote);
  const body = source.slice(quote.length, isClosed ? -1 : undefined);
  const special = quote === '"' ? specialInDouble : quote === "'" ? specialInSingle : specialInPlain;
  const runs: Run[] = [];
  let valueOffset = 0;
  let at = 0;
  const add = (length: number, sourceLength: number): void => {
    runs.push({ valueStart: valueOffset, sourceStart: quote.length + at, length: Math.min(length, sourceLength) });
    valueOffset += length;
    at += sourceLength;
  };
  for (const match of body.matchAll(special)) {
    add(match.index - at, match.index - at);
    add(valueLengthOf(match[0]), match[0].length);
  }
  add(body.length - at, body.length - at);
  return runs;
}

// A fold begins at the first of several spaces; the lookbehind keeps a long row of them from being tried at each space.
const specialInPlain = /(?<![ \t])[ \t]*\r?\n[ \t\r\n]*/g;
const specialInSingle = /''|(?<![ \t])[ \t]*\r?\n[ \t\r\n]*/g;
const specialInDouble =
  /\\(?:x[\da-fA-F]{2}|u[\da-fA-F]{4}|U[\da-fA-F]{8}|\r?\n[ \t]*|.)|(?<![ \t])[ \t]*\r?\n[ \t\r\n]*/g;

/** How much of the value an escape or a fold stands for. */
function valueLengthOf(special: string): number {
  if (special.startsWith("''")) return 1;
  if (/^\\\r?\n/.test(special)) return 0;
  if (special.startsWith("\\U")) return Number.parseInt(special.slice(2), 16) > 0xffff ? 2 : 1;
  if (special.startsWith("\\")) return 1;
  const breaks = special.split("\n").length - 1;
  return Math.max(1, breaks - 1);
}

/** The runs of a folded block: its lines without their indentation, each searched in the value behind the last. */
export function blockRuns(source: string, value: string): Run[] {
  const header = source.indexOf("\n") + 1;
  const runs: Run[] = [];
  let at = 0;
  for (const match of source.slice(header).matchAll(/[^ \t\r\n][^\n]*/g)) {
    const line = match[0].replace(/\r$/, "");
    // Between two lines of the value stand only breaks and spaces, so that the first match is the line.
    const valueStart = value.indexOf(line, at);
    if (valueStart === -1) break;
    runs.push({ valueStart, sourceStart: header + match.index, length: line.length });
    at = valueStart + line.length;
  }
  return runs;
}
