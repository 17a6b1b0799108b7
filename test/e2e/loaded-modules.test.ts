import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { Repo } from "../support/repo.ts";

/** Parts of Node that take as long to load as an everyday command takes by itself: decision 0007. */
const slow = ["crypto", "child_process", "zlib", "tty", "readline"];

test("S11 a list of few sessions loads nothing of Node that is slow to load", async () => {
  using repo = new Repo();
  await repo.clew("session", "start", "Fix the login");
  await repo.clew("session", "list");
  const probe = join(repo.root, "probe.cjs");
  const list = join(repo.root, "modules.json");
  const write = `require("node:fs").writeFileSync(${JSON.stringify(list)}, JSON.stringify(process.moduleLoadList))`;
  writeFileSync(probe, `process.on("exit", () => ${write});`);
  await repo.run(["session", "list"], { env: { NODE_OPTIONS: `--require ${JSON.stringify(probe)}` } });
  const loaded = JSON.parse(readFileSync(list, "utf8")) as string[];
  expect(loaded).toContain("NativeModule fs");
  expect(slow.filter((name) => loaded.includes(`NativeModule ${name}`))).toEqual([]);
});
