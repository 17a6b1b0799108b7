import fc from "fast-check";
import { expect, test } from "vitest";
import { sanitize } from "./escape-sequences.ts";
import { LiveArea } from "./run-area.ts";

/** As much of a terminal as the area makes use of. */
class Screen {
  readonly lines: string[] = [""];
  #row = 0;
  #column = 0;

  readonly write = (text: string): void => {
    for (const [token] of sanitize(text).matchAll(/\x1b\[\??\d*[a-zA-Z]|[^]/gu)) this.#take(token);
  };

  get text(): string {
    return this.lines.join("\n").trimEnd();
  }

  #take(token: string): void {
    if (token === "\n") [this.#row, this.#column] = [this.#row + 1, 0];
    else if (token === "\r") this.#column = 0;
    else if (token.endsWith("A")) this.#row -= Number(token.slice(2, -1));
    else if (token === "\x1b[J") this.lines.splice(this.#row, Infinity, this.#line().slice(0, this.#column));
    else if (!token.startsWith("\x1b")) {
      this.lines[this.#row] = this.#line().slice(0, this.#column) + token + this.#line().slice(this.#column + 1);
      this.#column++;
    }
    while (this.lines.length <= this.#row) this.lines.push("");
  }

  #line(): string {
    return this.lines[this.#row] ?? "";
  }
}

const word = fc.string({ unit: fc.constantFrom(..."abcdefgh"), minLength: 1, maxLength: 9 });
const deed = fc.oneof(
  fc.record({ draw: fc.array(word, { maxLength: 4 }) }),
  fc.record({ print: word }),
  fc.constant({ clear: true as const }),
);

test("G14 what is printed stays in order, and the area stands once, below it", () => {
  fc.assert(
    fc.property(fc.array(deed, { maxLength: 30 }), (deeds) => {
      const screen = new Screen();
      const area = new LiveArea(screen.write);
      const printed: string[] = [];
      let drawn: string[] = [];
      for (const each of deeds) {
        if ("draw" in each) area.draw((drawn = each.draw));
        else if ("print" in each) {
          area.print(each.print);
          printed.push(each.print);
          drawn = [];
        } else {
          area.clear();
          drawn = [];
        }
        expect(screen.text).toBe([...printed, ...drawn].join("\n"));
      }
    }),
  );
});

test("G14 what has not changed is not drawn again", () => {
  const written: string[] = [];
  const area = new LiveArea((text) => written.push(text));
  area.draw(["one", "two"]);
  area.draw(["one", "two"]);
  expect(written).toHaveLength(1);
});
