import { marked } from "./marks.ts";

/**
 * A few lines at the bottom of a terminal that are drawn again and again, with lines above them that stay. The cursor
 * rests at the beginning of the last line, so that `^C` disturbs little.
 */
export class LiveArea {
  readonly #write: (text: string) => void;
  #shown: readonly string[] = [];

  constructor(write: (text: string) => void) {
    this.#write = write;
  }

  draw(lines: readonly string[]): void {
    if (lines.length === this.#shown.length && lines.every((line, at) => line === this.#shown[at])) return;
    this.#write(this.#erase() + body(lines));
    this.#shown = lines;
  }

  /** Prints lines that stay, in the area's place. */
  print(text: string): void {
    this.#write(`${this.#erase()}${text}\n`);
    this.#shown = [];
  }

  clear(): void {
    if (this.#shown.length > 0) this.#write(this.#erase());
    this.#shown = [];
  }

  #erase(): string {
    const above = this.#shown.length - 1;
    if (above < 0) return "";
    return `${above === 0 ? "" : marked(`\x1b[${above}A`)}${marked("\r")}${marked("\x1b[J")}`;
  }
}

/** Without automatic wrapping: should a letter be wider than we think, the line is cut instead of becoming two. */
function body(lines: readonly string[]): string {
  return lines.length === 0 ? "" : `${marked("\x1b[?7l")}${lines.join("\n")}${marked("\r")}${marked("\x1b[?7h")}`;
}
