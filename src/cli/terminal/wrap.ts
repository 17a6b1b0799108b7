import { isPrintableAscii, widthOf } from "./width.ts";

/** A line in pieces of at most `columns`, cut between words where that is possible; what follows keeps the indent. */
export function wrap(line: string, columns: number): string[] {
  // No character takes more than two columns.
  if (line.length * 2 <= columns || (line.length <= columns && isPrintableAscii(line))) return [line];
  const indent = /^ */.exec(line)![0].slice(0, Math.floor(columns / 2));
  const pieces: string[] = [];
  let current = "";
  let width = 0;
  for (const word of line.split(/(?<=\s)(?=\S)/)) {
    const wordWidth = widthOf(word);
    if (width > 0 && width + widthOf(word.trimEnd()) > columns) {
      pieces.push(current.trimEnd());
      current = indent;
      width = indent.length;
    }
    current += word;
    width += wordWidth;
  }
  return [...pieces, current.trimEnd()];
}
