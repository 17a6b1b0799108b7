import { closeSync, openSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { entriesFrom } from "./entries.mjs";
import { proseFrom } from "./prose.mjs";
import { randomFrom } from "./random.mjs";

/**
 * A file of `count` entries as `clew session log --batch` reads them.
 * @param {import("./place.mjs").Place} place
 * @param {number} count
 */
export function batchFile(place, count) {
  const file = join(place.root, `entries-${count}.jsonl`);
  const random = randomFrom(count);
  const entries = entriesFrom(random, proseFrom(random));
  const lines = Array.from({ length: count }, () => `${JSON.stringify(entries.next().value)}\n`);
  writeFileSync(file, lines.join(""));
  return file;
}

/**
 * Logs all entries of such a file.
 * @param {import("./repository.mjs").Repository} repository
 * @param {string} id
 * @param {string} file
 */
export function logFile({ program, folder }, id, file) {
  const stdin = openSync(file, "r");
  try {
    program.node(folder, [program.file, "session", "log", "--batch", "--json", "-s", id], {}, stdin);
  } finally {
    closeSync(stdin);
  }
}
