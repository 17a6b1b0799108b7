import { readCommands } from "./commands.ts";
import { checkAssignments } from "./evaluated-names.ts";
import { Lexer } from "./lexer.ts";
import type { PlacedScript, ScriptPiece, ShellProblem } from "./piece.ts";
import { placedParts } from "./placed-parts.ts";
import { LineIndex } from "../text/line-index.ts";
import { joinPieces, type ScriptSource } from "./source.ts";
import { UnclearScriptError } from "./unclear.ts";

export interface Placement {
  script: PlacedScript;
  /** At most one per hole. */
  problems: ShellProblem[];
  /** Set if the script ends in the middle of something, so that no shell can read it, with values or without. */
  unclear?: Omit<ShellProblem, "hole">;
}

/**
 * Finds the place of every hole. A script with problems must not be run: its places are guesses. Never throws, whatever
 * the text.
 */
export function placeHoles(pieces: ScriptPiece[]): Placement {
  const source = joinPieces(pieces);
  const lexer = new Lexer(source, readCommands);
  const unclear = readAll(lexer);
  checkAssignments(lexer);
  let lines: LineIndex | undefined;
  const lineOf = (offset: number): number => (lines ??= new LineIndex(source.text)).placeOf(offset).line;
  const placement = {
    script: { parts: placedParts(source, lexer) },
    problems: problemsOf(source, lexer, lineOf, unclear),
  };
  if (unclear?.extent !== "everywhere") return placement;
  const { offset, message, hint } = unclear;
  return { ...placement, unclear: { line: lineOf(offset), message, hint } };
}

function readAll(lexer: Lexer): UnclearScriptError | undefined {
  try {
    lexer.readCommands("end");
    return undefined;
  } catch (error) {
    if (error instanceof UnclearScriptError) return error;
    throw error;
  }
}

function problemsOf(
  source: ScriptSource,
  lexer: Lexer,
  lineOf: (offset: number) => number,
  unclear: UnclearScriptError | undefined,
): ShellProblem[] {
  return source.holes.flatMap((hole, index) => {
    const refusal = lexer.refusedHoles.get(index);
    if (refusal === undefined && unclear === undefined) return [];
    const at = { hole: hole.id, line: lineOf(hole.offset) };
    if (refusal !== undefined) {
      return [{ ...at, message: `${hole.source} stands ${refusal.where}`, hint: refusal.hint(hole.source) }];
    }
    return [{ ...at, message: `${hole.source} cannot be placed: ${unclear!.message}`, hint: unclear!.hint }];
  });
}
