/**
 * How data stays data inside session.md. Each rule adds something that markdown does not show and that the
 * reader takes away again, so that `unescape(escape(x)) = x` for every text without NUL.
 */

/** A carriage return never stands raw in the file: editors and git rewrite line ends. */
export function hideReturns(line: string): string {
  if (!line.includes("\r") && !line.includes("&#13;")) return line;
  return line.replace(/(\\+)(&#13;|\r)?|&#13;|\r/g, (whole, slashes = "", behind = slashes === "" ? whole : "") => {
    if (behind === "") return whole;
    return behind === "\r" ? `${slashes}${slashes}&#13;` : `${slashes}${slashes}\\&#13;`;
  });
}

export function showReturns(line: string): string {
  if (!line.includes("&#13;")) return line;
  return line.replace(/(\\+)(&#13;)?|&#13;/g, (whole: string, slashes = "", behind = slashes === "" ? whole : "") => {
    if (behind === "") return whole;
    const half = slashes.slice(0, slashes.length >> 1);
    return slashes.length % 2 === 1 ? `${half}&#13;` : `${half}\r`;
  });
}

/** `Resolution:` at the start of a line of data becomes `Resolution\:`, which reads the same on a page. */
export function hideField(line: string, fields: RegExp): string {
  return line.replace(fields, "$1\\$2:");
}

export function showField(line: string, fields: RegExp): string {
  return line.replace(fields, (whole, name: string, slashes: string) =>
    slashes === "" ? whole : `${name}${slashes.slice(1)}:`,
  );
}

/** The pattern for `hideField` and `showField`: a field's name at the start of a line, then backslashes, then a colon. */
export function fieldPattern(names: readonly string[]): RegExp {
  return new RegExp(`^(${names.join("|")})(\\\\*):`);
}

/** The summary of a tool call stands on one line. */
export function escapeSummary(text: string): string {
  if (!text.includes("\n") && !text.includes("\\") && !text.includes("\r")) return text;
  return text.replace(/[\\\n\r]/g, (char) => (char === "\\" ? "\\\\" : char === "\n" ? "\\n" : "\\r"));
}

export function unescapeSummary(text: string): string {
  if (!text.includes("\\")) return text;
  return text.replace(/\\([\\nr✗])/g, (_, char: string) => (char === "n" ? "\n" : char === "r" ? "\r" : char));
}

/** In a heading, a word that starts with `@` or `#` would read as agent or channel. */
export function escapeTitle(title: string): string {
  return title.replace(/\\/g, "\\\\").replace(/(^|\s)([@#])/g, "$1\\$2");
}

export function unescapeTitle(title: string): string {
  return title.includes("\\") ? title.replace(/\\([\\@#])/g, "$1") : title;
}
