import type { Match } from "./finder.ts";

/** Writes a text with marks in place of its secrets, from left to right. */
export interface Writer {
  /** The text up to `upTo`, given all matches that begin before it and were not given yet. */
  write(text: string, matches: Match[], upTo: number): string;
  /** The text lost this many characters at its beginning. */
  dropped(count: number): void;
}

/** Matches that overlap become one mark, named by the one that begins first; of those the longest, then by rank. */
export function createWriter(): Writer {
  let waiting: Match[] = [];
  let written = 0;

  return {
    write(text, matches, upTo) {
      waiting = [...waiting, ...matches].sort((a, b) => a.start - b.start || b.end - a.end || a.rank - b.rank);
      let output = "";
      let taken = 0;
      for (; taken < waiting.length && waiting[taken]!.start < upTo; taken++) {
        const { start, end, mark } = waiting[taken]!;
        if (start >= written) output += text.slice(written, start) + mark;
        written = Math.max(written, end);
      }
      waiting = waiting.slice(taken);
      if (written < upTo) {
        output += text.slice(written, upTo);
        written = upTo;
      }
      return output;
    },
    dropped(count) {
      written -= count;
      waiting = waiting.map((match) => ({ ...match, start: match.start - count, end: match.end - count }));
    },
  };
}
