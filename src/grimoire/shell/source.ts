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
