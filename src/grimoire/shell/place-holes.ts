import { readCommands } from "./commands.ts";
import { checkAssignments } from "./evaluated-names.ts";
import { Lexer } from "./lexer.ts";
import type { PlacedScript, ScriptPiece, ShellProblem } from "./piece.ts";
import { placedParts } from "./placed-parts.ts";
import { joinPieces, lineFinder, type ScriptSource } from "./source.ts";
import { Unclear } from "./unclear.ts";

/**
 * Finds the place of every hole. All problems at once, at most one per hole. A script with problems must not be run:
 * its places are guesses. Never throws, whatever the text.
 */
export function placeHoles(pieces: ScriptPiece[]): { script: PlacedScript; problems: ShellProblem[] } {
  const source = joinPieces(pieces);
  const lexer = new Lexer(source, readCommands);
  const unclear = readAll(lexer);
  checkAssignments(lexer);
  return { script: { parts: placedParts(source, lexer) }, problems: problemsOf(source, lexer, unclear) };
}

function readAll(lexer: Lexer): Unclear | undefined {
  try {
    lexer.readCommands("end");
    return undefined;
  } catch (error) {
    if (error instanceof Unclear) return error;
    throw error;
  }
}

function problemsOf(source: ScriptSource, lexer: Lexer, unclear: Unclear | undefined): ShellProblem[] {
  const lineOf = lineFinder(source.text);
  return source.holes.flatMap((hole, index) => {
    const refusal = lexer.refused.get(index);
    const at = { hole: hole.id, line: lineOf(hole.offset) };
    if (refusal !== undefined) {
      return [{ ...at, message: `${hole.source} stands ${refusal.where}`, hint: refusal.hint(hole.source) }];
    }
    if (unclear === undefined) return [];
    const reason = `${unclear.message} (line ${lineOf(unclear.offset)})`;
    return [{ ...at, message: `${hole.source} cannot be placed: ${reason}`, hint: unclear.hint }];
  });
}
