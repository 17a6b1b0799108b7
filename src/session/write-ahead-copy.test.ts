import { expect, test } from "vitest";
import { encodeEntry, encodeLiveLine, parseLive } from "./write-ahead-copy.ts";

test("S7 a line of which a crash took only the end never counts, also when it was closed and reads whole again", () => {
  const first = encodeEntry(1, "\n> [!agent]\n> one\n");
  const torn = encodeEntry(2, "\n> [!agent]\n> two\n").trimEnd();
  const found = parseLive(first + torn);
  expect(found).toMatchObject({ torn: true, lastN: 1, entries: [{ n: 1 }] });
  const closed = parseLive(`${first}${torn}\n${encodeLiveLine({ n: 2, torn: true })}${encodeEntry(3, "\n> two\n")}`);
  expect(closed).toMatchObject({ torn: false, lastN: 3, unreadable: [], entries: [{ n: 1 }, { n: 3 }] });
});
