import type { Match } from "./finder.ts";

/** Writes a text with marks in place of its secrets, from left to right. */
export interface Writer {
  /** The text up to `upTo`, given all matches that begin before it and were not given yet. */
  write(text: string, matches: Match[], upTo: number): string;
  /** The text lost this many characters at its beginning. */
  shift(count: number): void;
}

/** Matches that overlap become one mark, named by the one that begins first; of those the longest, then by rank. */
export function createWriter(): Writer {
  let pending: Match[] = [];
  let writtenUpTo = 0;

  return {
    write(text, matches, upTo) {
      pending = [...pending, ...matches].sort((a, b) => a.start - b.start || b.end - a.end || a.rank - b.rank);
      let output = "";
      let count = 0;
      for (; count < pending.length && pending[count]!.start < upTo; count++) {
        const { start, end, mark } = pending[count]!;
        if (start >= writtenUpTo) output += text.slice(writtenUpTo, start) + mark;
        writtenUpTo = Math.max(writtenUpTo, end);
      }
      pending = pending.slice(count);
      if (writtenUpTo < upTo) {
        output += text.slice(writtenUpTo, upTo);
        writtenUpTo = upTo;
      }
      return output;
    },
    shift(count) {
      writtenUpTo -= count;
      pending = pending.map((match) => ({ ...match, start: match.start - count, end: match.end - count }));
    },
  };
}
