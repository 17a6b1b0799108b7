// Prints so many lines of Claude's stream a second, as an engine at work, and then its result.
//   node paced-engine.mjs LINES-PER-SECOND SECONDS
import { writeSync } from "node:fs";
import { setTimeout as pause } from "node:timers/promises";

const [rate = 0, seconds = 0] = process.argv.slice(2).map(Number);
const text = "The quick brown fox looks at the failing test. ".repeat(4);
/** @param {number} at */
const line = (at) =>
  `${JSON.stringify({ type: "assistant", message: { id: `msg_${at}`, content: [{ type: "text", text }] }, session_id: "s" })}\n`;
const startMs = performance.now();
let printed = 0;
while (printed < rate * seconds) {
  const due = Math.min(rate * seconds, Math.floor(((performance.now() - startMs) / 1000) * rate));
  // A full pipe stops the program, as it stops an engine.
  if (due > printed) print(Array.from({ length: due - printed }, (_, at) => line(printed + at)).join(""));
  printed = Math.max(printed, due);
  await pause(5);
}
print(`${JSON.stringify({ type: "result", is_error: false, result: "done", session_id: "s" })}\n`);

/** @param {string} lines */
function print(lines) {
  const bytes = Buffer.from(lines);
  for (let at = 0; at < bytes.length;) {
    try {
      at += writeSync(1, bytes, at);
    } catch (error) {
      if (/** @type {NodeJS.ErrnoException} */ (error).code !== "EAGAIN") throw error;
    }
  }
}
