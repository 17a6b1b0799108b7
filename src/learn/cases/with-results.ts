import type { LearningCase, Piece } from "../../contract/api/learn.ts";
import { callName, isShortened, type ResultsByCall } from "../../session/results.ts";
import { shortEntry } from "./short-entry.ts";

/** Whether the failure's own output is only a summary: then the whole of it is worth reading. */
export function hasShortResult(found: LearningCase): boolean {
  return found.type === "puzzle" && found.failure.some(({ entry }) => isShortened(entry));
}

/** The case with the whole output of the calls that failed, where it is known which one it is. */
export function withWholeResults(found: LearningCase, results: ResultsByCall): LearningCase {
  if (found.type !== "puzzle") return found;
  return { ...found, failure: found.failure.map((piece) => withResult(piece, results)) };
}

function withResult(piece: Piece, results: ResultsByCall): Piece {
  const { entry, line } = piece;
  if (!isShortened(entry)) return piece;
  const [first, ...others] = results.get(callName(entry)) ?? [];
  // Of calls that are written alike, nothing here tells which one it was.
  if (first === undefined || others.some((each) => each !== first)) return piece;
  return { line, entry: shortEntry({ ...entry, result_full: first }) };
}
