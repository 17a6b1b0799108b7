/** A line of a file. */
export interface SourceLine {
  /** Without its end. */
  text: string;
  /** Where it begins, and where the next one does. */
  start: number;
  end: number;
}

/** The lines of a text; a byte order mark is no part of the first. */
export function splitLines(text: string): SourceLine[] {
  const lines: SourceLine[] = [];
  let start = text.startsWith("\uFEFF") ? 1 : 0;
  while (start < text.length) {
    const newline = text.indexOf("\n", start);
    const end = newline < 0 ? text.length : newline + 1;
    const textEnd = newline < 0 ? end : newline;
    const hasReturn = newline >= 0 && text[textEnd - 1] === "\r" && textEnd > start;
    lines.push({ text: text.slice(start, hasReturn ? textEnd - 1 : textEnd), start, end });
    start = end;
  }
  if (lines.length === 0 && text !== "") lines.push({ text: "", start, end: start });
  return lines;
}
