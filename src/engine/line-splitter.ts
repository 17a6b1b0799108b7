/** Longer lines are not held whole: no engine prints them in its usual work. */
export const longestLine = 16 * 1024 * 1024;

interface LineListeners {
  /** Without its end of line; an empty one, too. */
  onLine: (line: string) => void;
  /** A part of a line that is longer than `longestLine`, in order; an end of line follows the last one. */
  onPiece: (piece: string) => void;
  /** Such a line has ended after so many characters. */
  onOversized: (chars: number) => void;
}

/** Cuts a text that comes in pieces into lines. */
export function createLines({ onLine, onPiece, onOversized }: LineListeners) {
  // Pieces are joined once, at the line's end: long lines come in thousands of pieces.
  let pieces: string[] = [];
  let length = 0;

  function addPiece(piece: string): void {
    if (piece === "") return;
    length += piece.length;
    pieces.push(piece);
    if (length > longestLine) passOn();
  }

  function passOn(): void {
    pieces.forEach((piece) => onPiece(piece));
    pieces = [];
  }

  function endLine(): void {
    const line = pieces.join("");
    const chars = length;
    pieces = [];
    length = 0;
    if (chars > longestLine) onOversized(chars);
    else onLine(line);
  }

  return {
    push: (chunk: string): void => {
      let start = 0;
      for (let end = chunk.indexOf("\n"); end !== -1; end = chunk.indexOf("\n", start)) {
        addPiece(chunk.slice(start, end));
        endLine();
        start = end + 1;
      }
      addPiece(chunk.slice(start));
    },
    /** What came after the last end of line is a line, too. */
    end: (): void => {
      if (length > 0) endLine();
    },
  };
}
