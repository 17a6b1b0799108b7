/** Longer lines are passed over: no engine prints them, and they have to be held whole. */
export const longestLine = 16 * 1024 * 1024;

interface LineListeners {
  onLine: (line: string) => void;
  /** A line was longer than `longestLine`; none of it is kept. */
  onTooLong: () => void;
}

/** Cuts a text that comes in pieces into lines. */
export function createLines({ onLine, onTooLong }: LineListeners) {
  // Pieces are joined once, at the line's end: long lines come in thousands of pieces.
  let pieces: string[] = [];
  let length = 0;

  function addPiece(piece: string): void {
    length += piece.length;
    if (length > longestLine) pieces = [];
    else if (piece !== "") pieces.push(piece);
  }

  function endLine(): void {
    const line = pieces.join("");
    const isTooLong = length > longestLine;
    pieces = [];
    length = 0;
    if (isTooLong) onTooLong();
    else if (line !== "") onLine(line.endsWith("\r") ? line.slice(0, -1) : line);
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
    end: endLine,
  };
}
