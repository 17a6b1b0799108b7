import type { Place } from "../../../contract/problem.ts";

/** Turns offsets into lines and columns. Asking in order of the text costs no more than reading it once. */
export class OffsetPlaces {
  readonly #text: string;
  #offset = 0;
  #line = 1;
  #column = 1;

  constructor(text: string) {
    this.#text = text;
  }

  of(offset: number): Place {
    if (offset < this.#offset) [this.#offset, this.#line, this.#column] = [0, 1, 1];
    while (this.#offset < offset) {
      const code = this.#text.codePointAt(this.#offset) ?? 0;
      this.#offset += code > 0xffff ? 2 : 1;
      if (code === 0x0a) [this.#line, this.#column] = [this.#line + 1, 1];
      else this.#column += 1;
    }
    return { line: this.#line, column: this.#column };
  }
}
