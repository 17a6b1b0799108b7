import fc from "fast-check";
import { expect, test } from "vitest";
import { formatDuration, longestDurationMs, readDuration } from "./duration.ts";

test.each([
  ["500ms", 500],
  ["90s", 90_000],
  ["10m", 600_000],
  ["1h30m", 5_400_000],
  ["2h", 7_200_000],
  ["1d", 86_400_000],
  ["1d2h3m4s5ms", 93_784_005],
  ["30d", 2_592_000_000],
])("G1 %s is %i milliseconds", (text, ms) => {
  expect(readDuration(text)).toBe(ms);
});

test.each([
  "",
  "10",
  "ten",
  "m",
  "0s",
  "0h0m",
  "1.5h",
  "-1s",
  "+1s",
  "30m1h",
  "1h1h",
  "1 h",
  " 1h",
  "1h ",
  "1H",
  "31d",
])("G1 %j is no duration", (text) => {
  expect(readDuration(text)).toBeUndefined();
});

test("G1 a caller may allow more than thirty days", () => {
  expect(readDuration("90d", Infinity)).toBe(90 * 86_400_000);
});

test("G1 what is formatted is read back as the same duration", () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: longestDurationMs }), (ms) => {
      expect(readDuration(formatDuration(ms))).toBe(ms);
    }),
  );
  expect([0, 500, 5_400_000, 61_000].map(formatDuration)).toEqual(["0s", "500ms", "1h30m", "1m1s"]);
});
