import truncatedWidth from "fast-string-truncated-width";

/** Columns that a text takes in a terminal: wide letters and emoji take two, colours none. */
export function widthOf(text: string): number {
  if (isPrintableAscii(text)) return text.length;
  return truncatedWidth(text, { limit: Infinity, ellipsis: "" }, {}).width;
}

/** The text in at most `columns` columns, with `…` when something was cut. */
export function fit(text: string, columns: number): string {
  if (isPrintableAscii(text)) return text.length <= columns ? text : `${text.slice(0, columns - 1)}…`;
  return widthOf(text) <= columns ? text : `${beginning(text, columns - 1)}…`;
}

/** The same with its beginning and its end, for paths: both tell more than what is between them. */
export function fitMiddle(text: string, columns: number): string {
  if (widthOf(text) <= columns) return text;
  const symbols = Array.from(text);
  let tail = "";
  while (symbols.length > 0 && widthOf(symbols.at(-1)! + tail) <= Math.floor((columns * 2) / 3))
    tail = symbols.pop()! + tail;
  return fit(symbols.join(""), columns - widthOf(tail)) + tail;
}

/** As many letters from the beginning as fit into `columns`, one at least. Looks no further, however long the text is. */
export function firstColumns(text: string, columns: number): string {
  const near = text.slice(0, 8 * columns + 64);
  if (isPrintableAscii(near)) return near.slice(0, Math.max(1, columns));
  const fitting = beginning(near, columns);
  return fitting === "" ? String.fromCodePoint(near.codePointAt(0)!) : fitting;
}

export function padTo(text: string, columns: number): string {
  return text + " ".repeat(Math.max(0, columns - widthOf(text)));
}

/** What fits; the library may take a symbol too many just before the cut. */
function beginning(text: string, columns: number): string {
  for (let limit = columns; limit > 0; limit--) {
    const { index } = truncatedWidth(text, { limit, ellipsis: "" }, {});
    const piece = text.slice(0, index);
    if (widthOf(piece) <= columns) return piece;
  }
  return "";
}

/** Most text is; it takes one column a letter, and needs no tables to know that. */
function isPrintableAscii(text: string): boolean {
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code < 0x20 || code > 0x7e) return false;
  }
  return true;
}
