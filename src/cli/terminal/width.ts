import truncatedWidth from "fast-string-truncated-width";

/** Columns that a text takes in a terminal: wide letters and emoji take two, colours none. */
export function widthOf(text: string): number {
  return truncatedWidth(text, { limit: Infinity, ellipsis: "" }, {}).width;
}

/** The text in at most `columns` columns, with `…` when something was cut. */
export function fit(text: string, columns: number): string {
  const { index, ellipsed } = truncatedWidth(text, { limit: columns, ellipsis: "…", ellipsisWidth: 1 }, {});
  return ellipsed ? `${text.slice(0, index)}…` : text;
}

export function padTo(text: string, columns: number): string {
  return text + " ".repeat(Math.max(0, columns - widthOf(text)));
}
