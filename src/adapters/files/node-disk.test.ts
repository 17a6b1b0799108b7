import {
  chmodSync,
  existsSync,
  lstatSync,
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
import { FileChanged } from "./disk.ts";
import { nodeDisk } from "./node-disk.ts";

let folder = "";
beforeEach(() => void (folder = mkdtempSync(join(tmpdir(), "clew-disk-"))));
afterEach(() => rmSync(folder, { recursive: true, force: true }));
const text = (path: string): string => readFileSync(path, "utf8");

test.each(["replace", "replaceUnsynced", "create"] as const)(
  "D6 a link that waits where %s writes aside is not followed",
  (operation) => {
    const [path, outside] = [join(folder, "file"), join(folder, "outside")];
    writeFileSync(outside, "private words");
    // The number of a process can be guessed: a repository may bring a link for each of them.
    symlinkSync(outside, join(folder, `.file.${process.pid}.new`));
    nodeDisk[operation](path, Buffer.from("new"), 0o600);
    expect([text(path), text(outside), lstatSync(path).isFile()]).toEqual(["new", "private words", true]);
  },
);

test("D6 a file that is a link is not written to", () => {
  const [path, outside] = [join(folder, "file"), join(folder, "outside")];
  writeFileSync(outside, "private words");
  symlinkSync(outside, path);
  const refusal = expect.objectContaining({ code: "leads_outside" }) as Error;
  expect(() => nodeDisk.append(path, Buffer.from("x"))).toThrow(refusal);
  expect(() => nodeDisk.overwrite(path, Buffer.from("x"))).toThrow(refusal);
  expect(() => nodeDisk.truncate(path, 0)).toThrow(refusal);
  expect(() => nodeDisk.open(path)).toThrow(refusal);
  expect(text(outside)).toBe("private words");
});

test("S7 what expects another file than the one that is there does nothing", () => {
  const path = join(folder, "file");
  writeFileSync(path, "one");
  const expected = nodeDisk.stamp(path)!;
  writeFileSync(path, "one and two");
  const bytes = Buffer.from("x");
  expect(() => nodeDisk.append(path, bytes, undefined, expected)).toThrow(FileChanged);
  expect(() => nodeDisk.overwrite(path, bytes, expected)).toThrow(FileChanged);
  expect(() => nodeDisk.replace(path, bytes, undefined, expected)).toThrow(FileChanged);
  expect(() => nodeDisk.readRange(path, 0, 1, expected)).toThrow(FileChanged);
  expect(text(path)).toBe("one and two");
  rmSync(path);
  expect(() => nodeDisk.replace(path, bytes, undefined, expected)).toThrow(FileChanged);
});

test("S7 what expects a file that is gone is told so, and makes none", () => {
  const path = join(folder, "file");
  writeFileSync(path, "one");
  const expected = nodeDisk.stamp(path)!;
  rmSync(path);
  expect(() => nodeDisk.append(path, Buffer.from("x"), undefined, expected)).toThrow(FileChanged);
  expect(() => nodeDisk.overwrite(path, Buffer.from("x"), expected)).toThrow(FileChanged);
  expect(() => nodeDisk.readRange(path, 0, 1, expected)).toThrow(FileChanged);
  expect(existsSync(path)).toBe(false);
});

test("S7 a file that is written anew keeps the rights that it had, whatever this user gives to new ones", () => {
  const path = join(folder, "file");
  writeFileSync(path, "one");
  chmodSync(path, 0o664);
  const before = process.umask(0o077);
  try {
    nodeDisk.replace(path, Buffer.from("two"));
    nodeDisk.replace(join(folder, "new"), Buffer.from("two"));
  } finally {
    process.umask(before);
  }
  expect([path, join(folder, "new")].map((each) => statSync(each).mode & 0o777)).toEqual([0o664, 0o600]);
});
