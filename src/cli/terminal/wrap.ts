import { widthOf } from "./width.ts";

/** Where characters of two columns are found. Placeholders and dots, which are frequent here, take one. */
const mayBeWide = /[\u1100-\u115f\u2300-\u27e7\u27ea-\u2bff\u2e80-\uffff]/;

/** A line in pieces of at most `columns`, cut between words where that is possible; what follows keeps the indent. */
export function wrap(line: string, columns: number): string[] {
  if (line.length <= columns && (line.length * 2 <= columns || !mayBeWide.test(line))) return [line];
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
