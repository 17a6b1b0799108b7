import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("../..", import.meta.url));
const path = join(root, "node_modules/.cache/clew/failed-tests.json");

/** What failed in the last run of tests. @typedef {{ mode: string, files: string[] }} FailedFiles */

/** @param {FailedFiles} failed */
export function noteFailedFiles(failed) {
  if (failed.files.length === 0) return rmSync(path, { force: true });
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, JSON.stringify(failed));
}

/** Undefined when nothing failed. @returns {FailedFiles | undefined} */
export function readFailedFiles() {
  try {
    return JSON.parse(readFileSync(path, "utf8"));
  } catch {
    return undefined;
  }
}
