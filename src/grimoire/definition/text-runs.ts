/** A stretch of a text that stands in the file as it is: where it begins in the value, where in the file, how long. */
export interface Run {
  value: number;
  written: number;
  length: number;
}

/** The runs of a plain or quoted scalar: what lies between its escapes and its line breaks. */
export function flowRuns(written: string): Run[] {
  const quote = written[0] === '"' || written[0] === "'" ? written[0] : "";
  const isClosed = quote !== "" && written.length > 1 && written.endsWith(quote);
  const body = written.slice(quote.length, isClosed ? -1 : undefined);
  const special = quote === '"' ? specialInDouble : quote === "'" ? specialInSingle : specialInPlain;
  const runs: Run[] = [];
  let value = 0;
  let at = 0;
  const add = (length: number, writtenLength: number): void => {
    runs.push({ value, written: quote.length + at, length: Math.min(length, writtenLength) });
    value += length;
    at += writtenLength;
  };
  for (const match of body.matchAll(special)) {
    add(match.index - at, match.index - at);
    add(lengthOf(match[0]), match[0].length);
  }
  add(body.length - at, body.length - at);
  return runs;
}

// A fold begins at the first of several spaces; looking behind keeps a long row of them from being tried from each one.
const specialInPlain = /(?<![ \t])[ \t]*\r?\n[ \t\r\n]*/g;
const specialInSingle = /''|(?<![ \t])[ \t]*\r?\n[ \t\r\n]*/g;
const specialInDouble =
  /\\(?:x[\da-fA-F]{2}|u[\da-fA-F]{4}|U[\da-fA-F]{8}|\r?\n[ \t]*|.)|(?<![ \t])[ \t]*\r?\n[ \t\r\n]*/g;

/** How much of the value an escape or a fold stands for. */
function lengthOf(special: string): number {
  if (special.startsWith("''")) return 1;
  if (/^\\\r?\n/.test(special)) return 0;
  if (special.startsWith("\\U")) return Number.parseInt(special.slice(2), 16) > 0xffff ? 2 : 1;
  if (special.startsWith("\\")) return 1;
  const breaks = special.split("\n").length - 1;
  return Math.max(1, breaks - 1);
}

/** The runs of a folded block: its lines without their indentation, found again in the value one after the other. */
export function blockRuns(written: string, value: string): Run[] {
  const header = written.indexOf("\n") + 1;
  const runs: Run[] = [];
  let at = 0;
  for (const match of written.slice(header).matchAll(/[^ \t\r\n][^\n]*/g)) {
    const line = match[0].replace(/\r$/, "");
    // Between two lines of the value stand only breaks and spaces, so that the first match is the line.
    const found = value.indexOf(line, at);
    if (found === -1) break;
    runs.push({ value: found, written: header + match.index, length: line.length });
    at = found + line.length;
  }
  return runs;
}
