import type { ScriptPiece } from "./piece.ts";

/** Stands for a hole in the joined text. No shell script can contain it, so a real one is found by its offset. */
export const HOLE = "\0";

export interface SourceHole {
  offset: number;
  id: number;
  source: string;
}

/** The rendered script as one text. Markers have no width in it: what stands around them stands together. */
export interface ScriptSource {
  text: string;
  holes: SourceHole[];
  markers: { offset: number; text: string }[];
}

export function joinPieces(pieces: ScriptPiece[]): ScriptSource {
  const texts: string[] = [];
  const source: ScriptSource = { text: "", holes: [], markers: [] };
  let offset = 0;
  for (const piece of pieces) {
    if (piece.kind === "marker") {
      source.markers.push({ offset, text: piece.text });
      continue;
    }
    if (piece.kind === "hole") source.holes.push({ offset, id: piece.id, source: piece.source });
    const text = piece.kind === "hole" ? HOLE : piece.text;
    texts.push(text);
    offset += text.length;
  }
  source.text = texts.join("");
  return source;
}

/** Gives the line of an offset, from 1, for offsets that come in any order. */
export function lineFinder(text: string): (offset: number) => number {
  const starts = [0];
  for (let at = text.indexOf("\n"); at !== -1; at = text.indexOf("\n", at + 1)) starts.push(at + 1);
  return (offset) => {
    let low = 0;
    let high = starts.length;
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if (starts[middle]! <= offset) low = middle;
      else high = middle;
    }
    return low + 1;
  };
}
