import {
  chmodSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { assumeRedacted } from "../../contract/redacted.ts";
import type { FileRules } from "./policy-layers.ts";
import { ruleMemory } from "./rule-memory.ts";

const read: FileRules = { rules: [{ event: "tool", command: "git push", decide: "deny" }], lines: [2, undefined] };
let folder: string;
let file: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "clew-memory-"));
  file = join(folder, "config.yaml");
  writeFileSync(file, "policy: [a]\n");
});

afterEach(() => rmSync(folder, { recursive: true, force: true }));

function memory(version = "1", settledMs = -1) {
  return ruleMemory({ XDG_STATE_HOME: folder }, version, settledMs);
}

function keep(settledMs = -1): void {
  const kept = memory("1", settledMs);
  kept.keep(file, kept.stampOf(file), assumeRedacted(read));
}

function keptFile(): string {
  return join(folder, "clew/policies", readdirSync(join(folder, "clew/policies"))[0]!);
}

test("H5 what a file was read as is found while the file stays as it is", () => {
  keep();
  expect(memory().find(file)).toEqual(read);
  expect(memory("2").find(file)).toBeUndefined();
});

test("H5 a file that is missing has no rules", () => {
  expect(memory().find(join(folder, "none.yaml"))).toEqual({ rules: [], lines: [] });
});

test.each<[string, () => void]>([
  ["was edited", () => writeFileSync(file, "policy: [b]\n")],
  [
    "was edited, with its old times put back",
    () => {
      writeFileSync(file, "policy: [b]\n");
      utimesSync(file, 1, 1);
    },
  ],
  [
    "was replaced",
    () => {
      writeFileSync(`${file}.new`, "policy: [b]\n");
      renameSync(`${file}.new`, file);
    },
  ],
])("H5 a file that %s is read again", (_, change) => {
  utimesSync(file, 1, 1);
  keep();
  expect(memory().find(file)).toEqual(read);
  change();
  expect(memory().find(file)).toBeUndefined();
});

test("H5 what others may write, or is no JSON, does not count", () => {
  keep();
  chmodSync(keptFile(), 0o620);
  expect(memory().find(file)).toBeUndefined();
  chmodSync(keptFile(), 0o600);
  expect(memory().find(file)).toEqual(read);
  writeFileSync(keptFile(), readFileSync(keptFile(), "utf8").slice(0, -5));
  expect(memory().find(file)).toBeUndefined();
});

test("H5 a file that was changed just now, or while it was read, is not kept", () => {
  keep(60_000);
  expect(memory().find(file)).toBeUndefined();
  const kept = memory();
  const stamp = kept.stampOf(file);
  writeFileSync(file, "policy: [b, c]\n");
  kept.keep(file, stamp, assumeRedacted(read));
  expect(memory().find(file)).toBeUndefined();
});
