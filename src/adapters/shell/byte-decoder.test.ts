import fc from "fast-check";
import { expect, test } from "vitest";
import { ByteDecoder, bytesOf } from "./byte-decoder.ts";

function decoded(chunks: Uint8Array[]): string {
  const decoder = new ByteDecoder();
  return chunks.map((chunk) => decoder.write(Buffer.from(chunk))).join("") + decoder.end();
}

const chunks = fc.array(
  fc.oneof(
    fc.uint8Array({ maxLength: 6 }),
    fc.string({ unit: "grapheme", maxLength: 4 }).map((text) => new Uint8Array(Buffer.from(text))),
    fc.constantFrom(
      ...["c3", "e282", "f09f98", "eda080", "f4908080", "c080", "efbfbd"].map(
        (hex) => new Uint8Array(Buffer.from(hex, "hex")),
      ),
    ),
  ),
  { maxLength: 8 },
);

test("W4 all bytes come back, however they are split", () => {
  fc.assert(
    fc.property(chunks, (parts) => {
      expect(bytesOf(decoded(parts)).toString("hex")).toBe(Buffer.concat(parts).toString("hex"));
    }),
  );
});

test("W4 valid text is decoded as ever, and is the same however it is split", () => {
  fc.assert(
    fc.property(
      fc.string({ unit: "binary" }).map((text) => text.toWellFormed()),
      fc.nat(),
      (text, cut) => {
        const bytes = Buffer.from(text);
        const at = bytes.length === 0 ? 0 : cut % bytes.length;
        expect(decoded([bytes.subarray(0, at), bytes.subarray(at)])).toBe(text);
      },
    ),
  );
});
