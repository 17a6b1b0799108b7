import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { anyText, body, runs } from "../../test/support/session-items.ts";
import { normaliseLineEnds, parseItems } from "./parse.ts";
import { renderItems } from "./render.ts";

describe("the laws of the record", () => {
  test("S2 S3 S4 S5 S6 parse(render(x)) = x for hostile text", () => {
    fc.assert(
      fc.property(body, (items) => {
        expect(parseItems(renderItems(items))).toEqual(items);
      }),
      runs,
    );
  });

  test("S2 S3 S4 S5 S6 render(parse(file)) = file, byte for byte, for files that Clew wrote", () => {
    fc.assert(
      fc.property(body, (items) => {
        const file = renderItems(items);
        expect(renderItems(parseItems(file))).toBe(file);
      }),
      runs,
    );
  });

  test("S3 S4 an editor that saves with CRLF line ends changes nothing of what is said", () => {
    fc.assert(
      fc.property(body, (items) => {
        const file = renderItems(items).replaceAll("\n", "\r\n");
        expect(parseItems(normaliseLineEnds(file))).toEqual(items);
      }),
      runs,
    );
  });

  test("S12 any text at all can be read, and nothing in it is lost from view", () => {
    fc.assert(
      fc.property(anyText, (text) => void parseItems(text)),
      runs,
    );
  });
});
