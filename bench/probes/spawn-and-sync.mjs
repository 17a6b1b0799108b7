// The floor of a script step: starts a shell that does nothing, waits for its end, appends a line and syncs it. Prints the
// milliseconds of one.
//   node spawn-and-sync.mjs TARGET TIMES MEGABYTES
import { spawn } from "node:child_process";
import { once } from "node:events";
import { closeSync, fdatasyncSync, openSync, writeSync } from "node:fs";

const [target = "", ...numbers] = process.argv.slice(2);
const [times = 0, megabytes = 0] = numbers.map(Number);
// Starting a process copies the tables of all memory that is in use, so that it has to be in use.
const ballast = Buffer.alloc(Math.max(0, megabytes * 1e6 - process.memoryUsage.rss()), 1);
const line = `${JSON.stringify({ type: "workflow.step.completed", text: "x".repeat(140) })}\n`;
const file = openSync(target, "a");
await step();
const startMs = performance.now();
for (let done = 0; done < times; done++) await step();
process.stdout.write(String((performance.now() - startMs) / times));
closeSync(file);
// Until here it must not be thrown away.
ballast.fill(0);

async function step() {
  const child = spawn("/bin/sh", ["-c", "true"], { detached: true, stdio: ["ignore", "pipe", "pipe"] });
  child.stdout.resume();
  child.stderr.resume();
  await once(child, "close");
  writeSync(file, line);
  fdatasyncSync(file);
}
