import {
  appendFileSync,
  existsSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { assumeRedacted } from "../../contract/redacted.ts";
import { daemonLog } from "./daemon-log.ts";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "clew-log-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const at = "2026-11-17T10:00:00.000Z";

test("a log is kept short over years: five megabytes, and three files of before", () => {
  const path = join(folder, "daemon.log");
  const log = daemonLog(path);
  const text = "x".repeat(100_000);
  let number = 0;
  // More than the files hold together.
  for (; number < 310; number++) log.write(at, "test.line", assumeRedacted({ number, text }));
  expect(statSync(path).size).toBeLessThanOrEqual(5 * 1024 * 1024);
  expect([1, 2, 3, 4].map((each) => existsSync(`${path}.${each}`))).toEqual([true, true, true, false]);
  const lines = [3, 2, 1]
    .map((each) => `${path}.${each}`)
    .concat(path)
    .flatMap((file) => readFileSync(file, "utf8").trimEnd().split("\n"));
  const numbers = lines.map((line) => (JSON.parse(line.split(" ").slice(2).join(" ")) as { number: number }).number);
  // None is lost and none is twice, up to the last.
  expect(numbers).toEqual(numbers.map((_, index) => number - numbers.length + index));
});

test("what another descriptor appends stays in the log that is written now", () => {
  const path = join(folder, "daemon.log");
  writeFileSync(path, "y".repeat(5 * 1024 * 1024));
  const log = daemonLog(path);
  const before = statSync(path).ino;
  log.write(at, "test.line", assumeRedacted({}));
  // The daemon's own stderr was opened before.
  expect(statSync(path).ino).toBe(before);
  appendFileSync(path, "fault\n");
  expect(readFileSync(path, "utf8")).toBe(`${at} test.line {}\nfault\n`);
});

test("the end of a log is told from a place on, also when it was emptied since", () => {
  const path = join(folder, "daemon.log");
  const log = daemonLog(path);
  expect([log.end(), log.linesSince(0)]).toEqual([0, []]);
  log.write(at, "before", assumeRedacted({}));
  const place = log.end();
  log.write(at, "after", assumeRedacted({ text: "\u001b[2Jodd\nline" }));
  expect(log.linesSince(place)).toEqual([`${at} after {"text":"\\u001b[2Jodd\\nline"}`]);
  expect(log.linesSince(1_000_000)).toHaveLength(2);
});

test("a log that is a link, or no file, is not written to, and stops nothing", () => {
  const path = join(folder, "daemon.log");
  const target = join(folder, "target");
  writeFileSync(target, "mine");
  symlinkSync(target, path);
  daemonLog(path).write(at, "test.line", assumeRedacted({}));
  expect(readFileSync(target, "utf8")).toBe("mine");
});
