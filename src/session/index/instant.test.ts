import { expect, test } from "vitest";
import { instantMs } from "./instant.ts";

const noon = Date.UTC(2026, 0, 5, 12);

test.each([
  ["2026-01-05T12:00:00Z", noon],
  ["2026-01-05T12:00:00.000Z", noon],
  ["2026-01-05T12:00Z", noon],
  ["2026-01-05 12:00:00Z", noon],
  ["2026-01-05T13:00:00+01:00", noon],
  ["2026-01-05T06:30:00.250-05:30", noon + 250],
  ["2026-01-05", Date.UTC(2026, 0, 5)],
])("S11 %s is an instant", (text, ms) => {
  expect(instantMs(text)).toBe(ms);
});

test("S11 a time without a zone is UTC wherever the machine stands", () => {
  const zone = process.env["TZ"];
  try {
    process.env["TZ"] = "America/New_York";
    expect(instantMs("2026-01-05T12:00:00")).toBe(noon);
  } finally {
    if (zone === undefined) delete process.env["TZ"];
    else process.env["TZ"] = zone;
  }
});

test.each(["", "yesterday", "Jan 5 2026", "2026-13-40", "2026-01-05T25:00:00Z", "5"])(
  "S11 %j is older than all",
  (text) => {
    expect(instantMs(text)).toBe(-Infinity);
  },
);
