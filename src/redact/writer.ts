import type { Match } from "./finder.ts";

/**
 * Writes a text with marks in place of its secrets, from left to right. Matches that overlap become one mark, named by the
 * one that begins first; of those the longest, then by rank.
 */
export class Writer {
  #pending: Match[] = [];
  #writtenUpTo = 0;

  /** Returns the text up to `upTo`, given all matches that begin before it and were not given yet. */
  write(text: string, matches: Match[], upTo: number): string {
    this.#pending = [...this.#pending, ...matches].sort(
      (a, b) => a.start - b.start || b.end - a.end || a.rank - b.rank,
    );
    const later = this.#pending.findIndex(({ start }) => start >= upTo);
    const due = this.#pending.splice(0, later < 0 ? this.#pending.length : later);
    let output = "";
    for (const { start, end, mark } of due) {
      if (start >= this.#writtenUpTo) output += text.slice(this.#writtenUpTo, start) + mark;
      this.#writtenUpTo = Math.max(this.#writtenUpTo, end);
    }
    output += text.slice(this.#writtenUpTo, upTo);
    this.#writtenUpTo = Math.max(this.#writtenUpTo, upTo);
    return output;
  }

  /** The text lost this many characters at its beginning. */
  shift(count: number): void {
    this.#writtenUpTo -= count;
    this.#pending = this.#pending.map((match) => ({ ...match, start: match.start - count, end: match.end - count }));
  }
}
