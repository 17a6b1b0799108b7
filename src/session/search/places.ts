import { foldPieces, foldPiece } from "./fold.ts";

/** A stretch of text in UTF-16 units, `end` exclusive. */
export interface TextSpan {
  start: number;
  end: number;
}

/** A piece of the original, and where it stands in the folded text. */
interface Piece extends TextSpan {
  foldedStart: number;
  foldedEnd: number;
}

/** Leads from a stretch of the folded text back to the original. What folded to nothing belongs to what precedes it. */
export function unfolder(text: string): (folded: TextSpan) => TextSpan {
  const pieces = piecesOf(text);
  return ({ start, end }) => {
    const [beforeStart, atStart] = neighbours(pieces, start);
    const [beforeEnd, atEnd] = neighbours(pieces, end);
    return {
      start: atStart && atStart.foldedStart <= start ? atStart.start : shifted(beforeStart, start),
      end: atEnd && atEnd.foldedStart < end ? atEnd.end : shifted(beforeEnd, end),
    };
  };
}

/** Only what is beyond ASCII changes its length; between such pieces the texts run in step. */
function piecesOf(text: string): Piece[] {
  const pieces: Piece[] = [];
  let shift = 0;
  for (const { 0: part, index } of text.matchAll(foldPieces)) {
    const foldedStart = index + shift;
    const foldedEnd = foldedStart + foldPiece(part).length;
    const end = index + part.length;
    pieces.push({ start: index, end, foldedStart, foldedEnd });
    shift = foldedEnd - end;
  }
  return pieces;
}

const shifted = (before: Piece | undefined, place: number) => (before ? before.end + place - before.foldedEnd : place);

/** The last piece that ends at or before a place of the folded text, and the one after it. */
function neighbours(pieces: Piece[], place: number): [Piece | undefined, Piece | undefined] {
  let low = 0;
  let high = pieces.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((pieces[middle]?.foldedEnd ?? Infinity) <= place) low = middle + 1;
    else high = middle;
  }
  return [pieces[low - 1], pieces[low]];
}
