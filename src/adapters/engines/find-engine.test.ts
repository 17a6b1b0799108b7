import { chmodSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeEach, expect, test } from "vitest";
import { engineFinder } from "./find-engine.ts";
import { engineNotInstalled } from "./known-programs.ts";

let place: string;

beforeEach(() => {
  place = mkdtempSync(join(tmpdir(), "clew-programs-"));
  return () => rmSync(place, { recursive: true });
});

function program(name: string): string {
  const file = join(place, name);
  writeFileSync(file, "#!/bin/sh\n");
  chmodSync(file, 0o755);
  return file;
}

test("W2 a program is where the settings say, else on the PATH", () => {
  const onPath = program("gemini");
  const elsewhere = program("another");
  const env = { PATH: place };
  expect(engineFinder(env, {})("gemini")).toBe(onPath);
  expect(engineFinder(env, { gemini: { program: elsewhere } })("gemini")).toBe(elsewhere);
  expect(engineFinder(env, { gemini: { program: elsewhere } })("qwen")).toEqual({ reason: engineNotInstalled("qwen") });
});

test("W2 a program that is not there is not looked for elsewhere", () => {
  program("gemini");
  const missing = join(place, "missing");
  expect(engineFinder({ PATH: place }, { gemini: { program: missing } })("gemini")).toEqual({
    reason: `engines.gemini.program is ${missing}, which is no program`,
    fix: "clew config set engines.gemini.program PATH --user",
  });
});
