import { mkdtempSync, openSync, readFileSync, rmSync, writeFileSync, closeSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { nodeDisk } from "./node-disk.ts";

test("G16 a file that was closed takes nothing more: its number may be another file's by then", () => {
  const folder = mkdtempSync(join(tmpdir(), "clew-open-"));
  writeFileSync(join(folder, "other"), "untouched");
  const file = nodeDisk.open(join(folder, "one"), 0o600);
  file.append(Buffer.from("first\n"));
  file.close();
  const other = openSync(join(folder, "other"), "r+");
  const late = Buffer.from("late\n");
  for (const work of [() => file.append(late), () => file.overwrite(late), () => file.syncNow()]) {
    expect(work).toThrow("is closed");
  }
  closeSync(other);
  expect(readFileSync(join(folder, "other"), "utf8")).toBe("untouched");
  expect(readFileSync(join(folder, "one"), "utf8")).toBe("first\n");
  rmSync(folder, { recursive: true });
});
