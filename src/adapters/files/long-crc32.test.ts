import { expect, test } from "vitest";
import { crc32 } from "../../session/crc32.ts";
import { longCrc32 } from "./long-crc32.ts";

test("S11 the checksum of many bytes is the same as that of few, in one piece or in several", () => {
  const bytes = Buffer.from("→ a line of a session\n".repeat(5000));
  for (const cut of [0, 10, 20_000, bytes.length]) {
    const [first, second] = [bytes.subarray(0, cut), bytes.subarray(cut)];
    expect(longCrc32(second, longCrc32(first))).toBe(crc32(bytes));
  }
});
