import { markSequence } from "./escape-sequences.ts";

/**
 * A few lines at the bottom of a terminal that are drawn again and again, with lines above them that stay. The cursor
 * rests at the beginning of the last line, so that `^C` disturbs little.
 */
export class LiveArea {
  readonly #write: (text: string) => void;
  #lines: readonly string[] = [];

  constructor(write: (text: string) => void) {
    this.#write = write;
  }

  draw(lines: readonly string[]): void {
    if (lines.length === this.#lines.length && lines.every((line, at) => line === this.#lines[at])) return;
    this.#write(this.#erase() + withoutWrapping(lines));
    this.#lines = lines;
  }

  /** Prints lines that stay, in the area's place. */
  print(text: string): void {
    this.#write(`${this.#erase()}${text}\n`);
    this.#lines = [];
  }

  clear(): void {
    if (this.#lines.length > 0) this.#write(this.#erase());
    this.#lines = [];
  }

  #erase(): string {
    const rowsUp = this.#lines.length - 1;
    if (rowsUp < 0) return "";
    return `${rowsUp === 0 ? "" : markSequence(`\x1b[${rowsUp}A`)}${markSequence("\r")}${markSequence("\x1b[J")}`;
  }
}

/** Without automatic wrapping: should a letter be wider than we think, the line is cut instead of becoming two. */
function withoutWrapping(lines: readonly string[]): string {
  return lines.length === 0
    ? ""
    : `${markSequence("\x1b[?7l")}${lines.join("\n")}${markSequence("\r")}${markSequence("\x1b[?7h")}`;
}
