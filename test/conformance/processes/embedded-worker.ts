import { assumeRedacted } from "../../../src/contract/redacted.ts";
// Hosts runs on files for a test. Built before it is started.
import { randomUUID } from "node:crypto";
import { join } from "node:path";
import { nodeDisk } from "../../../src/adapters/files/node-disk.ts";
import { sqliteHeldLocks } from "../../../src/adapters/files/held-lock.ts";
import { sqliteLocks } from "../../../src/adapters/files/lock.ts";
import { EmbeddedHost } from "../../../src/adapters/journal-file/embedded-host.ts";
import { runFolders } from "../../../src/adapters/layout/run-paths.ts";
import { serveHost } from "./serve-host.ts";

const [root = ""] = process.argv.slice(2);
const locks = sqliteLocks(join(root, "locks"));

const storage = {
  disk: nodeDisk,
  folders: runFolders(root),
  locks: async () => locks,
  drivers: sqliteHeldLocks(join(root, "locks", "runs")),
};
const host = new EmbeddedHost(storage, {
  nowMs: () => Date.now(),
  elapsedMs: () => performance.now(),
  newId: randomUUID,
  boot: "boot-1",
  pid: process.pid,
  redact: assumeRedacted,
  endSurvivors: async () => undefined,
  lookEveryMs: 5,
});

serveHost({
  start: (wantedId, pinned) => host.start(wantedId, pinned),
  drive: (runId, options) => host.drive(runId, options),
  signal: (...given) => host.signal(...given),
});
