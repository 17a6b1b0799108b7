import { chmodSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeEach, expect, test } from "vitest";
import { engineFinder } from "./find-engine.ts";

let place: string;
const help = "it is not installed";

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
  expect(engineFinder(env, {})("gemini", help)).toBe(onPath);
  expect(engineFinder(env, { gemini: { program: elsewhere } })("gemini", help)).toBe(elsewhere);
  expect(engineFinder(env, { gemini: { program: elsewhere } })("qwen", help)).toEqual({ reason: help });
});

test("W2 a program that is not there is not looked for elsewhere", () => {
  program("gemini");
  const missing = join(place, "missing");
  expect(engineFinder({ PATH: place }, { gemini: { program: missing } })("gemini", help)).toEqual({
    reason: `engines.gemini.program is ${missing}, which is no program`,
    fix: "clew config set engines.gemini.program PATH --user",
  });
});
