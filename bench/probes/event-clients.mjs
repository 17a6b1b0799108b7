// Listens to a daemon's events with many clients, while one writer appends numbered events to a journal. Prints what came.
import { appendFileSync, readFileSync } from "node:fs";
import { request } from "node:http";
import { setTimeout as pause } from "node:timers/promises";

const [socketPath = "", journal = "", pid = "", clients = "", seconds = "", perSecond = ""] = process.argv.slice(2);
const total = Number(seconds) * Number(perSecond);

/** Processor time of the daemon so far, in seconds. */
function cpuSeconds() {
  const fields = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1]?.split(" ") ?? [];
  return (Number(fields[11]) + Number(fields[12])) / 100;
}

let connected = 0;
/** The last event before those of this run, as the daemon says at the start of each stream. */
let last = 0;
/** @param {(numbers: number[]) => void} done */
function listen(done) {
  /** @type {number[]} */
  const numbers = [];
  let text = "";
  request(
    { socketPath, path: "/events?live=true", headers: { host: "localhost", accept: "text/event-stream" } },
    (response) => {
      response.setEncoding("utf8").on("data", (part) => {
        text += part;
        for (let end = text.indexOf("\n\n"); end >= 0; end = text.indexOf("\n\n")) {
          const frame = text.slice(0, end);
          text = text.slice(end + 2);
          const [, number] = /^id: (\d+)$/m.exec(frame) ?? [];
          if (number === undefined) continue;
          if (!frame.includes("\nevent: start\n")) numbers.push(Number(number));
          else {
            connected += 1;
            last = Number(number);
          }
        }
        if (numbers.length >= total) done(numbers);
      });
    },
  )
    .on("error", () => done(numbers))
    .end();
}

const all = Array.from(
  { length: Number(clients) },
  () => new Promise((/** @type {(numbers: number[]) => void} */ done) => listen(done)),
);
while (connected < Number(clients)) await pause(20);
const before = cpuSeconds();
const startMs = performance.now();
let n = last;
for (let sent = 0; sent < total;) {
  const due = Math.min(total, Math.ceil(((performance.now() - startMs) / 1000) * Number(perSecond)));
  let lines = "";
  for (; sent < due; sent++) {
    const event = {
      type: "workflow.step.started",
      n: ++n,
      at: new Date().toISOString(),
      path: "work",
      attempt: 1,
      kind: "script",
      running_ms: 1,
    };
    lines += `${JSON.stringify(event)}\n`;
  }
  if (lines !== "") appendFileSync(journal, lines);
  await pause(5);
}
const limit = pause(30_000).then(() => undefined);
const numbers = await Promise.race([Promise.all(all), limit]);
const tookSeconds = (performance.now() - startMs) / 1000;
const lost = numbers === undefined ? NaN : numbers.reduce((sum, each) => sum + total - new Set(each).size, 0);
const isInOrder =
  numbers?.every((each) => each.every((number, at) => at === 0 || number > (each[at - 1] ?? 0))) ?? false;
process.stdout.write(JSON.stringify({ lost, isInOrder, tookSeconds, cores: (cpuSeconds() - before) / tookSeconds }));
process.exit(0);
