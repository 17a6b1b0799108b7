import { existsSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { expect, test } from "vitest";
import { EngineRepo } from "../support/engine-programs.ts";

test("W2 what a program leaves running does not hold the answer, and is ended", async () => {
  using repo = new EngineRepo();
  const sign = join(repo.root, ".git/late");
  repo.install("claude", `(sleep 5; touch '${sign}') &\necho 2.1.325`);
  expect(await repo.engine("claude")).toMatchObject({ version: "2.1.325" });
  await pause(5_500);
  expect(existsSync(sign)).toBe(false);
});

test("W2 a program that hangs is given up, and all that it started ends", async () => {
  using repo = new EngineRepo();
  const sign = join(repo.root, ".git/late");
  repo.install("claude", `sleep 12; touch '${sign}'`);
  const begun = performance.now();
  const { available, problem } = await repo.engine("claude");
  expect([available, problem]).toEqual([false, expect.stringContaining("gave no answer within 10 s")]);
  await pause(Math.max(0, 13_500 - (performance.now() - begun)));
  expect(existsSync(sign)).toBe(false);
});
