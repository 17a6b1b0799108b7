import type { Lexer } from "./lexer.ts";
import type { PlacedPart } from "./piece.ts";
import type { ScriptSource } from "./source.ts";

/** Puts the script together again: its text with the edits, each hole with its place, markers where they were. */
export function placedParts(source: ScriptSource, lexer: Lexer): PlacedPart[] {
  const changes = [
    ...lexer.edits.map((edit) => ({ ...edit, part: { kind: "text", text: edit.text } as PlacedPart })),
    ...source.markers.map(({ offset, text }) => ({
      start: offset,
      end: offset,
      part: { kind: "marker", text } as PlacedPart,
    })),
    ...source.holes.map(({ offset, id }, index) => ({
      start: offset,
      end: offset + 1,
      part: { kind: "hole", id, ...lexer.places[index]! } as PlacedPart,
    })),
  ].sort((a, b) => a.start - b.start || a.end - b.end);
  const parts: PlacedPart[] = [];
  let at = 0;
  for (const change of changes) {
    if (change.start > at) parts.push({ kind: "text", text: source.text.slice(at, change.start) });
    parts.push(change.part);
    at = Math.max(at, change.end);
  }
  if (at < source.text.length) parts.push({ kind: "text", text: source.text.slice(at) });
  return parts;
}
