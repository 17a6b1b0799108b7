// Reads a transcript line by line, by JSON.parse alone or by the reader of Claude's stream, and prints what that took.
//   node engine-stream.mjs PARTS-FILE TRANSCRIPT parse|normalise
import { createReadStream, readFileSync } from "node:fs";
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
  for (const event of conversation.read(line)) {
    count += 1;
    // What is asked is answered, as in life: what waits for an answer has to be kept.
    if (event.type === "permission" && !event.withdrawn) conversation.answer(event.id, event.options[0]?.id ?? "");
  }
};
const lines = createLines({ onLine: what === "parse" ? parse : normalise, onPiece: () => {}, onOversized: () => {} });
const startMs = performance.now();
for await (const chunk of createReadStream(transcript, { encoding: "utf8", highWaterMark: 64 * 1024 }))
  lines.push(chunk);
lines.end();
if (count === 0) throw new Error("nothing was read");
process.stdout.write(JSON.stringify({ ms: performance.now() - startMs, peakMb: peakKb() / 1000 }));

/** Linux counts the memory of whoever started a process into its `maxRSS`; this file knows the process alone. */
function peakKb() {
  if (process.platform !== "linux") return process.resourceUsage().maxRSS;
  const status = readFileSync("/proc/self/status", "utf8");
  return Number(/^VmHWM:\s+(\d+) kB$/m.exec(status)?.[1] ?? NaN) * 1.024;
}
