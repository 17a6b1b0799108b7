// A run of so many steps that do nothing on DBOS, and a bare DBOS workflow of as many beside it; prints milliseconds per step.
//   node dbos.mjs PARTS-FILE POSTGRES-URL ROUNDS STEPS
import { randomUUID } from "node:crypto";
import { pathToFileURL } from "node:url";
import { DBOS } from "@dbos-inc/dbos-sdk";
import { plainSteps } from "../lib/steps.mjs";

const [partsFile = "", url = "", rounds = "", steps = ""] = process.argv.slice(2);
/** @type {typeof import("../parts.ts")} */
const { DbosHost, assumeRedacted } = await import(pathToFileURL(partsFile).href);

const count = Number(steps);
const bare = DBOS.registerWorkflow(
  async () => {
    for (let at = 0; at < count; at++) await DBOS.runStep(async () => "done", { name: `step-${at}` });
  },
  { name: "bare" },
);
const host = await DbosHost.open({
  url,
  nowMs: () => Date.now(),
  elapsedMs: () => performance.now(),
  newId: randomUUID,
  redact: assumeRedacted,
  pid: process.pid,
  boot: "bench",
});
/** @type {{ clewMs: number[], bareMs: number[] }} */
const measured = { clewMs: [], bareMs: [] };
for (let round = -1; round < Number(rounds); round++) {
  const id = await host.start("bench", assumeRedacted(plainSteps(count)));
  let startMs = performance.now();
  await host.drive(id, { handlers: { script: async () => ({ success: true, output: "done", exit_code: 0 }) } });
  const clewMs = (performance.now() - startMs) / count;
  startMs = performance.now();
  await (await DBOS.startWorkflow(bare)()).getResult();
  if (round < 0) continue;
  measured.clewMs.push(clewMs);
  measured.bareMs.push((performance.now() - startMs) / count);
}
await host.close();
process.stdout.write(JSON.stringify(measured), () => process.exit(0));
