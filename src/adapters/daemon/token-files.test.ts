import {
  chmodSync,
  chownSync,
  mkdtempSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
  readFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import type { Tokens } from "../../app/daemon/ports.ts";
import { assumeRedacted } from "../../contract/redacted.ts";
import { createRedactor } from "../../redact/redactor.ts";
import { nodeDisk } from "../files/node-disk.ts";
import { systemIds } from "../system/system.ts";
import { tokenFiles } from "./token-files.ts";

let folder: string;
let nowMs: number;
let tokens: Tokens;
beforeEach(() => {
  folder = join(mkdtempSync(join(tmpdir(), "clew-tokens-")), "tokens");
  nowMs = Date.parse("2026-11-17T10:00:00Z");
  const newId = (): string => systemIds.random(10);
  tokens = tokenFiles({ disk: nodeDisk, folder, redact: async () => assumeRedacted, nowMs: () => nowMs, newId });
});
afterEach(() => rmSync(join(folder, ".."), { recursive: true, force: true }));

test("D4 a token counts until it expires or is revoked, for what it was made", async () => {
  const { token, id } = await tokens.create({ readOnly: false });
  nowMs += 1;
  const limited = await tokens.create({ readOnly: true, expires: "2026-11-17T11:00:00.000Z" });
  expect(tokens.check(token)).toEqual({ id, readOnly: false, hooksOnly: false });
  expect(tokens.check(limited.token)).toEqual({ id: limited.id, readOnly: true, hooksOnly: false });
  const ofHooks = await tokens.create({ readOnly: false, hooksOnly: true });
  expect(tokens.check(ofHooks.token)).toEqual({ id: ofHooks.id, readOnly: false, hooksOnly: true });
  await tokens.revoke(ofHooks.id);
  nowMs += 3_600_000;
  expect(tokens.check(limited.token)).toBeUndefined();
  expect(tokens.list().map(({ is_expired }) => is_expired)).toEqual([false, true]);
  expect(await tokens.revoke(id)).toBe(true);
  expect(tokens.check(token)).toBeUndefined();
  expect(await tokens.revoke(id)).toBe(false);
});

test("D4 who holds a token that does not count is told why; who does not hold it learns nothing", async () => {
  const { token } = await tokens.create({ readOnly: true, expires: "2026-11-17T11:00:00.000Z" });
  const revoked = await tokens.create({ readOnly: true });
  await tokens.revoke(revoked.id);
  nowMs += 3_600_000;
  expect(tokens.refusalOf(token)).toBe("this token expired at 2026-11-17T11:00:00.000Z");
  const unknown = "this repository has no such token: it was revoked, or is another repository's";
  const guessed = `${token.slice(0, -1)}${token.endsWith("A") ? "B" : "A"}`;
  expect([revoked.token, guessed].map((each) => tokens.refusalOf(each))).toEqual([unknown, unknown]);
  expect(tokens.refusalOf("secret")).toMatch(/^this is no token of a daemon/);
});

test("D4 nothing else counts: other ends, other ids, other forms", async () => {
  const one = await tokens.create({ readOnly: false });
  const other = await tokens.create({ readOnly: false });
  const wrong = [
    "",
    one.id,
    one.token.slice(0, -1),
    `${one.token}x`,
    `${one.token}\n`,
    one.token.replace(one.id, other.id),
    one.token.replace(one.id, "../tokens/x"),
    one.token.toUpperCase(),
    `Bearer ${one.token}`,
    "x".repeat(1_000_000),
    `clew_api_${"a".repeat(10)}_${"b".repeat(43)}`,
  ];
  expect(wrong.map((each) => tokens.check(each))).toEqual(wrong.map(() => undefined));
});

test("D4 a file that is a link, too large, broken or of another token is no token", async () => {
  const made = await tokens.create({ readOnly: false });
  const path = join(folder, `${made.id}.json`);
  const text = readFileSync(path, "utf8");
  const isGood = (): boolean => tokens.check(made.token) !== undefined && tokens.list().length === 1;
  expect(isGood()).toBe(true);
  for (const broken of ["", "{", `${text.trimEnd()}${" ".repeat(5_000)}\n`, text.replace(made.id, "other"), "null"]) {
    writeFileSync(path, broken);
    expect([broken.slice(0, 20), tokens.check(made.token), tokens.list()]).toEqual([
      broken.slice(0, 20),
      undefined,
      [],
    ]);
  }
  const elsewhere = join(folder, "..", "elsewhere");
  writeFileSync(elsewhere, text);
  rmSync(path);
  symlinkSync(elsewhere, path);
  expect([tokens.check(made.token), tokens.list()]).toEqual([undefined, []]);
  // The folder itself, too.
  rmSync(path);
  writeFileSync(path, text);
  expect(isGood()).toBe(true);
  renameSync(folder, `${folder}-real`);
  symlinkSync(`${folder}-real`, folder);
  expect(tokens.check(made.token)).toBeUndefined();
});

test("D4 a file or a folder that others can write to is not trusted", async () => {
  const { token, id } = await tokens.create({ readOnly: false });
  const path = join(folder, `${id}.json`);
  for (const [each, own] of [
    [path, 0o600],
    [folder, 0o700],
  ] as const) {
    for (const [mode, counts] of [
      [own | 0o044, true],
      [own | 0o020, false],
      [own | 0o002, false],
      [own, true],
    ] as const) {
      chmodSync(each, mode);
      expect([each, mode, tokens.check(token) !== undefined, tokens.list().length]).toEqual([
        each,
        mode,
        counts,
        Number(counts),
      ]);
    }
  }
});

// Only root can give a file away.
test.runIf(process.getuid?.() === 0)("D4 a file or a folder of another user is not trusted", async () => {
  const { token, id } = await tokens.create({ readOnly: false });
  for (const each of [join(folder, `${id}.json`), folder]) {
    chownSync(each, 12_345, 0);
    expect([each, tokens.check(token), tokens.list()]).toEqual([each, undefined, []]);
    chownSync(each, 0, 0);
    expect(tokens.check(token)).toBeDefined();
  }
});

test("D4 the folder is made private again when a token is made", async () => {
  await tokens.create({ readOnly: false });
  chmodSync(folder, 0o755);
  await tokens.create({ readOnly: false });
  expect(statSync(folder).mode & 0o777).toBe(0o700);
});

test("D7 the redactor knows a token wherever it stands", async () => {
  const { token } = await tokens.create({ readOnly: false });
  const { redact } = createRedactor({});
  for (const text of [token, `x${token}y`, `http://localhost/?t=${token}`, JSON.stringify({ a: token })])
    expect(redact(text)).not.toContain(token.slice(-43, -1));
});
