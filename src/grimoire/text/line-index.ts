import type { Place } from "../../contract/problem.ts";
import { countUpTo } from "./count-up-to.ts";

/** Turns offsets of a text into lines and columns in characters, without reading the text again. */
export class LineIndex {
  readonly #starts: number[];
  /** Offsets of low surrogates: they take room in the text but no column. */
  readonly #lowSurrogates: number[] = [];
  readonly #length: number;

  constructor(text: string) {
    // A byte order mark is no character of the first line.
    this.#starts = [text.startsWith("\uFEFF") ? 1 : 0];
    for (const match of text.matchAll(/\n|[\uD800-\uDBFF][\uDC00-\uDFFF]/g)) {
      if (match[0] === "\n") this.#starts.push(match.index + 1);
      else this.#lowSurrogates.push(match.index + 1);
    }
    this.#length = text.length;
  }

  placeOf(offset: number): Place {
    const at = Math.max(this.#starts[0]!, Math.min(offset, this.#length));
    const line = countUpTo(this.#starts, at);
    const start = this.#starts[line - 1]!;
    return {
      line,
      column: at - start - (countUpTo(this.#lowSurrogates, at) - countUpTo(this.#lowSurrogates, start)) + 1,
    };
  }

  /** The other way round: where a line and column stand, kept within that line. */
  offsetOf({ line, column }: Place): number {
    const start = this.startOf(line);
    const end = line < this.#starts.length ? this.startOf(line + 1) - 1 : this.#length;
    const before = countUpTo(this.#lowSurrogates, start);
    let offset = start + column - 1;
    // Each low surrogate that is skipped moves the offset, which may skip another.
    for (let skipped = -1; skipped !== countUpTo(this.#lowSurrogates, offset) - before;) {
      skipped = countUpTo(this.#lowSurrogates, offset) - before;
      offset = start + column - 1 + skipped;
    }
    return Math.min(offset, end);
  }

  /** Where a line begins, counted from 1; the text's end for lines behind the last. */
  startOf(line: number): number {
    return this.#starts[line - 1] ?? this.#length;
  }
}
