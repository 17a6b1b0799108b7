import { chmodSync, copyFileSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { continueTokens } from "./continue-tokens.ts";

const step = { session: "2026-11-17-a", run: "2026-11-17-a", path: "loop[2]/build", attempt: 3 };
const dayMs = 24 * 3_600_000;
let root: string;
let folder: string;

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "clew-keys-"));
  folder = join(root, "state/clew/continue-keys");
});
afterEach(() => rmSync(root, { recursive: true }));

const at = (nowMs: number, repository = "/repo/.git/clew"): ReturnType<typeof continueTokens> =>
  continueTokens({ folder, repository, nowMs: () => nowMs });

test("H7 a token names its step, the same each time, in this repository alone", () => {
  const token = at(0).issue(step);
  expect(at(0).issue(step)).toBe(token);
  expect(at(0).read(token)).toEqual(step);
  expect(at(0, "/other/.git/clew").read(token)).toBeUndefined();
  expect(at(0).read(`${token.slice(0, -1)}${token.endsWith("A") ? "B" : "A"}`)).toBeUndefined();
  expect(at(0).read("")).toBeUndefined();
});

test("H7 a key signs for thirty days, and verifies until the second one after it", () => {
  const first = at(0).issue(step);
  const second = at(31 * dayMs).issue(step);
  expect(second).not.toBe(first);
  expect([first, second].map((token) => at(31 * dayMs).read(token))).toEqual([step, step]);
  const third = at(62 * dayMs).issue(step);
  expect([first, second, third].map((token) => at(62 * dayMs).read(token))).toEqual([undefined, step, step]);
  expect(readdirSync(folder).sort()).toEqual(["2.key", "3.key"]);
});

test("H7 a broken key is passed over, and one that others can read is refused", () => {
  const token = at(0).issue(step);
  expect(statSync(join(folder, "1.key")).mode & 0o777).toBe(0o600);
  writeFileSync(join(folder, "2.key"), "{", { mode: 0o600 });
  expect(at(0).read(token)).toEqual(step);
  expect(at(31 * dayMs).issue(step)).not.toBe(token);
  expect(readdirSync(folder)).toContain("3.key");
  chmodSync(join(folder, "3.key"), 0o644);
  expect(() => at(31 * dayMs).issue(step)).toThrow("others can read the key");
});

test("H7 a server that lives long heeds keys that came, went or were opened to others since", () => {
  const nowMs = Date.now() + 60_000;
  const tokens = at(nowMs);
  const token = tokens.issue(step);
  expect([tokens.read(token), tokens.issue(step)]).toEqual([step, token]);
  copyFileSync(join(folder, "1.key"), join(root, "kept.key"));
  rmSync(join(folder, "1.key"));
  expect(tokens.read(token)).toBeUndefined();
  copyFileSync(join(root, "kept.key"), join(folder, "1.key"));
  expect([tokens.read(token), tokens.read(token)]).toEqual([step, step]);
  const other = at(nowMs + 31 * dayMs).issue(step);
  expect([tokens.read(other), tokens.read(token)]).toEqual([step, step]);
  chmodSync(join(folder, "1.key"), 0o644);
  expect(() => tokens.read(token)).toThrow("others can read the key");
});
