// Reads a transcript line by line, by JSON.parse alone or by the reader of Claude's stream, and prints what that took.
//   node engine-stream.mjs PARTS-FILE TRANSCRIPT parse|normalise
import { createReadStream } from "node:fs";
import { pathToFileURL } from "node:url";

const [partsFile = "", transcript = "", what = ""] = process.argv.slice(2);
/** @type {typeof import("../parts.ts")} */
const { claudeConversation, createLines } = await import(pathToFileURL(partsFile).href);
const conversation = claudeConversation({ prompt: "" }, () => undefined);
let count = 0;
/** @param {string} line */
const parse = (line) => {
  JSON.parse(line);
  count += 1;
};
/** @param {string} line */
const normalise = (line) => {
  count += conversation.read(line).length;
};
const lines = createLines({ onLine: what === "parse" ? parse : normalise, onPiece: () => {}, onOversized: () => {} });
const startMs = performance.now();
for await (const chunk of createReadStream(transcript, { encoding: "utf8", highWaterMark: 64 * 1024 }))
  lines.push(chunk);
lines.end();
if (count === 0) throw new Error("nothing was read");
const peakMb = process.resourceUsage().maxRSS / 1024;
process.stdout.write(JSON.stringify({ ms: performance.now() - startMs, peakMb }));
