import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { cleanJson } from "./clean.ts";
import { jsonPieces } from "./json-pieces.ts";

const joined = (value: unknown): string => [...jsonPieces(value)].join("");

describe("JSON in pieces", () => {
  test("is the same text, also of long lists in each other, of what JSON leaves out, and of control characters", () => {
    const leaf = fc.oneof(
      fc.string({ unit: "binary" }),
      fc.constantFrom<unknown>("\x1b[31m", "\u009b", "\u202e", undefined, null, () => 0, new Date(0)),
      fc.double(),
      fc.boolean(),
    );
    const { tree } = fc.letrec((tie) => ({
      tree: fc.oneof(
        { maxDepth: 2 },
        leaf,
        fc.array(tie("tree"), { maxLength: 20, size: "max" }),
        fc.dictionary(fc.string({ unit: "binary" }), tie("tree"), { maxKeys: 4 }),
      ),
    }));
    fc.assert(
      fc.property(fc.record({ list: fc.array(tree, { maxLength: 40, size: "max" }), one: tree }), (value) => {
        expect(joined(value)).toBe(cleanJson(value));
      }),
      { numRuns: Number(process.env["CLEW_PROPERTY_RUNS"] ?? 100) },
    );
  });

  test("has no piece as long as the whole", () => {
    const entries = Array.from({ length: 1000 }, (_, number) => ({ kind: "text", text: `entry ${number}` }));
    const pieces = [...jsonPieces({ phases: [{ id: "phase-1", entries }] })];
    expect(Math.max(...pieces.map(({ length }) => length))).toBeLessThan(1000);
  });

  test("asks an object that says itself what stands for it", () => {
    const items = Array.from({ length: 100 }, () => ({ toJSON: () => "said" }));
    expect(joined({ items, one: { toJSON: () => items.length } })).toBe(cleanJson({ items, one: 100 }));
  });

  test("looks at a value that is nested deeply a fixed number of times", () => {
    let looks = 0;
    let value: unknown = Array.from({ length: 20 }, () => 1);
    for (let level = 0; level < 1000; level++) {
      const inner = value;
      value = Object.defineProperty({}, "deeper", { enumerable: true, get: () => (looks++, inner) });
    }
    expect(joined(value)).toBe(JSON.stringify(value));
    expect(looks).toBeLessThan(1000 * 20);
  });
});
