import { assumeRedacted } from "../../../src/contract/redacted.ts";
// Hosts runs on Postgres for a test. Built before it is started.
import { randomUUID } from "node:crypto";
import { runWorker } from "../../../src/adapters/journal-dbos/run-worker.ts";
import { DbosHost } from "../../../src/adapters/journal-dbos/dbos-host.ts";
import { serveHost } from "./serve-host.ts";

const [url = ""] = process.argv.slice(2);

void DbosHost.open({
  url,
  nowMs: () => Date.now(),
  elapsedMs: () => performance.now(),
  newId: randomUUID,
  redact: assumeRedacted,
  pid: process.pid,
  boot: "boot-1",
  lookEveryMs: 10,
}).then((host) =>
  serveHost({
    start: (wantedId, pinned) => host.start(wantedId, pinned),
    drive: (runId, options) => host.drive(runId, options),
    signal: (...given) => host.signal(...given),
    journal: (runId) => host.journal(runId ?? undefined),
    attend: (handlers) =>
      runWorker(host, {
        handlers,
        everyMs: 50,
        signal: new AbortController().signal,
        onFault: (runId, error) => process.stderr.write(`${runId}: ${String(error)}\n`),
      }),
  }),
);
