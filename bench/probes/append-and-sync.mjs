// The floor of batch logging: appends ready-made bytes to one file, in groups, each synced before the next.
//   node append-and-sync.mjs BYTES-FILE GROUP-SIZES-FILE TARGET
import { closeSync, fdatasyncSync, openSync, readFileSync, writeSync } from "node:fs";

const [bytesFile = "", sizesFile = "", target = ""] = process.argv.slice(2);
const bytes = readFileSync(bytesFile);
/** @type {number[]} */
const sizes = JSON.parse(readFileSync(sizesFile, "utf8"));
const file = openSync(target, "a");
let at = 0;
for (const size of sizes) {
  writeSync(file, bytes, at, size);
  fdatasyncSync(file);
  at += size;
}
closeSync(file);
