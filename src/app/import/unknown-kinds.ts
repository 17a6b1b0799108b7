import type { Redact } from "../../contract/redacted.ts";
import { cutToCodePoints } from "../../session/text.ts";
import type { SkippedFile } from "./ports.ts";

/** So many kinds are told by their names, each so far. */
const maxKinds = 20;
const maxKindChars = 60;

/** Kinds of lines that this version does not know, over all transcripts. A transcript may name as many as it likes. */
export class UnknownKinds {
  readonly #kinds = new Map<string, { path: string; lines: number }>();
  #others: { path: string; lines: number } | undefined;

  /** `found` has the number of lines of each kind. */
  add(path: string, found: ReadonlyMap<string, number>): void {
    for (const [kind, lines] of found) {
      const known = this.#kinds.get(kind);
      if (known) known.lines += lines;
      else if (this.#kinds.size < maxKinds) this.#kinds.set(kind, { path, lines });
      else this.#others = { path: this.#others?.path ?? path, lines: (this.#others?.lines ?? 0) + lines };
    }
  }

  inWords(redact: Redact): SkippedFile[] {
    const told = [...this.#kinds].map(([kind, { path, lines }]) => ({
      path,
      // First redacted, then cut: the beginning of a secret is no secret to the rules.
      reason: `${inLines(lines)} of a kind that is not known, ${cutToCodePoints(redact(kind), maxKindChars)}, left out (first in this file)`,
    }));
    const others = this.#others;
    if (!others) return told;
    return [
      ...told,
      { path: others.path, reason: `${inLines(others.lines)} of other kinds that are not known, left out` },
    ];
  }
}

function inLines(count: number): string {
  return count === 1 ? "1 line" : `${count} lines`;
}
