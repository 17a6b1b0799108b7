import type { Screen } from "../context.ts";
import { firstColumns, widthOf } from "./width.ts";

/** Where characters of two columns are found. Placeholders and dots, which are frequent here, take one. */
const mayBeWide = /[\u1100-\u115f\u2300-\u27e7\u27ea-\u2bff\u2e80-\uffff]/;

/** Lines of a text behind an indent, within the terminal; in a pipe as they are. */
export function wrapLines(screen: Pick<Screen, "width" | "onTerminal">, text: string, indent = ""): string[] {
  const lines = text.split("\n").map((line) => `${indent}${line}`);
  return screen.onTerminal ? lines.flatMap((line) => wrap(line, screen.width)) : lines;
}

/** A line in pieces of at most `columns`, cut between words; what follows keeps the indent. */
export function wrap(line: string, columns: number): string[] {
  if (line.length <= columns && (line.length * 2 <= columns || !mayBeWide.test(line))) return [line];
  const indent = /^ */.exec(line)![0].slice(0, Math.floor(columns / 2));
  return wrapWords(line.slice(indent.length), columns - indent.length).map((piece) => indent + piece);
}

/** A text in lines of at most `columns`. Only a word that is longer than a line by itself is broken. */
export function wrapWords(text: string, columns: number): string[] {
  const lines: string[] = [];
  let current = "";
  let width = 0;
  const endLine = (): void => {
    lines.push(current.trimEnd());
    current = "";
    width = 0;
  };
  for (let word of text.split(/(?<=\s)(?=\S)/)) {
    let wordWidth = widthOf(word);
    const visible = widthOf(word.trimEnd());
    if (width > 0 && width + visible > columns) endLine();
    if (visible > columns) {
      for (let piece = firstColumns(word, columns); piece !== word; piece = firstColumns(word, columns)) {
        current = piece;
        endLine();
        word = word.slice(piece.length);
      }
      wordWidth = widthOf(word);
    }
    current += word;
    width += wordWidth;
  }
  return [...lines, current.trimEnd()];
}

/** A line in pieces of at most `columns`, cut anywhere: together they are the line. */
export function inColumns(line: string, columns: number): string[] {
  const pieces: string[] = [];
  let rest = line;
  while (widthOf(rest.slice(0, 8 * columns + 64)) > columns) {
    const piece = firstColumns(rest, columns);
    pieces.push(piece);
    rest = rest.slice(piece.length);
  }
  return [...pieces, rest];
}
