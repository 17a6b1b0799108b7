import type { ScriptPiece, ShellProblem } from "./piece.ts";
import { LineIndex } from "../text/line-index.ts";
import { joinPieces } from "./source.ts";

/** Finds values that no shell variable can hold: those with a NUL. Call it before the values are written or shown. */
export function checkValues(pieces: ScriptPiece[], valueOf: (id: number) => string): ShellProblem[] {
  const { text, holes } = joinPieces(pieces);
  const lines = new LineIndex(text);
  return holes
    .filter(({ id }) => valueOf(id).includes("\0"))
    .map(({ id, offset, source }) => ({
      hole: id,
      line: lines.placeOf(offset).line,
      message: `${source} contains a NUL character, which no shell can hold`,
      hint: "Have the step that makes the value leave it out, for example with tr -d '\\000'.",
    }));
}
