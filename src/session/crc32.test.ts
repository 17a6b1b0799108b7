import { crc32 as zlibCrc32 } from "node:zlib";
import fc from "fast-check";
import { expect, test } from "vitest";
import { crc32 } from "./crc32.ts";

test("S11 the checksum is zlib's, in one piece or in several", () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 100 }), fc.uint8Array({ maxLength: 100 }), (first, second) => {
      const whole = Buffer.concat([first, second]);
      expect(crc32(whole)).toBe(zlibCrc32(whole));
      expect(crc32(second, crc32(first))).toBe(zlibCrc32(whole));
    }),
  );
  expect(crc32("→ ✗ é")).toBe(zlibCrc32("→ ✗ é"));
});
