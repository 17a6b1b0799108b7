// Parses a body over and over and prints the times in milliseconds.
//   node parse.mjs PARTS-FILE BODY-FILE ROUNDS
import { readFileSync } from "node:fs";
import { pathToFileURL } from "node:url";

const [partsFile = "", bodyFile = "", rounds = ""] = process.argv.slice(2);
/** @type {typeof import("../parts.ts")} */
const { parseItems } = await import(pathToFileURL(partsFile).href);
const body = readFileSync(bodyFile, "utf8");
const times = [];
for (let round = 0; round < Number(rounds) + 1; round++) {
  const startMs = performance.now();
  const items = parseItems(body);
  if (items.length === 0) throw new Error("nothing was parsed");
  times.push(performance.now() - startMs);
}
process.stdout.write(JSON.stringify(times.slice(1)));
