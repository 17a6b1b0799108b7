import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, rmSync, utimesSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { removeLeft } from "./remove-left.ts";

test("S16 what a killed export left goes after an hour, and nothing that may still be written", () => {
  const folder = mkdtempSync(join(tmpdir(), "clew-left-"));
  try {
    const dead = spawnSync("true").pid;
    const make = (name: string, hours: number): void => {
      mkdirSync(join(folder, name));
      const at = Date.now() / 1000 - hours * 3600;
      utimesSync(join(folder, name), at, at);
    };
    make(`tasks.${dead}-ab12.part`, 2);
    const kept = [
      `tasks.${dead}-cd34.part`,
      `tasks.${process.pid}-ef56.part`,
      "tasks.mine.part",
      `other.${dead}-ab12.part`,
    ];
    kept.forEach((name, at) => make(name, at === 0 ? 0 : 2));
    removeLeft(folder, "tasks.", ".part");
    expect(readdirSync(folder).sort()).toEqual(kept.sort());
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
