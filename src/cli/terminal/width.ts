import truncatedWidth from "fast-string-truncated-width";

/** Columns that a text takes in a terminal: wide letters and emoji take two, colours none. */
export function widthOf(text: string): number {
  if (isPrintableAscii(text)) return text.length;
  return truncatedWidth(text, { limit: Infinity, ellipsis: "" }, {}).width;
}

/** The text in at most `columns` columns, with `…` when something was cut. */
export function fit(text: string, columns: number): string {
  if (isPrintableAscii(text)) return text.length <= columns ? text : `${text.slice(0, columns - 1)}…`;
  const { index, ellipsed } = truncatedWidth(text, { limit: columns, ellipsis: "…", ellipsisWidth: 1 }, {});
  return ellipsed ? `${text.slice(0, index)}…` : text;
}

export function padTo(text: string, columns: number): string {
  return text + " ".repeat(Math.max(0, columns - widthOf(text)));
}

/** Most text is; it takes one column a letter, and needs no tables to know that. */
function isPrintableAscii(text: string): boolean {
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code < 0x20 || code > 0x7e) return false;
  }
  return true;
}
