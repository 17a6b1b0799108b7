import { closeSync, constants, readSync } from "node:fs";
import type { SourceLine } from "../../app/import/ports.ts";
import { openRegular, readRange, withRegular } from "../files/regular-file.ts";
import { longestLine } from "../../engine/line-splitter.ts";
import { markOf } from "./mark.ts";

const chunkBytes = 1 << 20;
const newline = 10;
/** So much before a position is marked. */
const markedBytes = 1024;

/**
 * The lines of a file that others may be writing. Follows no link, and opens plain files alone. A line's bytes are valid until the
 * next line is asked for.
 */
export function* sourceLines(path: string, pieceBytes = chunkBytes): Generator<SourceLine> {
  const { fd } = openRegular(path, constants.O_RDONLY | constants.O_NOFOLLOW);
  try {
    let buffer: Buffer = Buffer.allocUnsafe(pieceBytes);
    /** Bytes of the line at hand that are in the buffer; where the buffer begins in the file. */
    let kept = 0;
    let start = 0;
    let isTooLong = false;
    for (;;) {
      if (kept === buffer.length) {
        if (kept >= longestLine) {
          isTooLong = true;
          start += kept;
          kept = 0;
        } else buffer = grown(buffer);
      }
      const count = readSync(fd, buffer, kept, buffer.length - kept, start + kept);
      if (count === 0) break;
      const filled = kept + count;
      let lineStart = 0;
      for (let end = nextEnd(buffer, kept, filled); end >= 0; end = nextEnd(buffer, lineStart, filled)) {
        const bytes = isTooLong ? null : buffer.subarray(lineStart, end);
        isTooLong = false;
        if (bytes === null || bytes.length > 0) yield { bytes, end: start + end + 1, isTorn: false };
        lineStart = end + 1;
      }
      kept = filled - lineStart;
      if (lineStart > 0) buffer.copyWithin(0, lineStart, filled);
      start += lineStart;
    }
    // Its end is where it will be once the line end is written, so that it is the same line then.
    if (kept > 0 && !isTooLong) yield { bytes: buffer.subarray(0, kept), end: start + kept + 1, isTorn: true };
  } finally {
    closeSync(fd);
  }
}

/** Marks what stands before the end of a line. Undefined when no line ends there. */
export function markBefore(path: string, position: number): string | undefined {
  return withRegular(path, constants.O_RDONLY | constants.O_NOFOLLOW, 0, (fd) => {
    // The last line may have no line end yet.
    const end = position - 1;
    const start = Math.max(0, end - markedBytes);
    const bytes = readRange(fd, start, position);
    const isEnd = bytes.length >= end - start && (bytes[end - start] ?? newline) === newline;
    return isEnd ? markOf(bytes.subarray(0, end - start)) : undefined;
  });
}

function nextEnd(buffer: Buffer, from: number, filled: number): number {
  const end = buffer.indexOf(newline, from);
  return end < filled ? end : -1;
}

function grown(buffer: Buffer): Buffer {
  const larger = Buffer.allocUnsafe(Math.min(longestLine, buffer.length * 2));
  buffer.copy(larger);
  return larger;
}
