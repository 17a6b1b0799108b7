import { rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { afterAll, beforeAll, expect, it } from "vitest";
import type { Handlers } from "../../src/run/handlers.ts";
import { startPostgres } from "../../tools/postgres/start.mjs";
import { pinned, script } from "../support/run-host.ts";
import { completed, goOn } from "./acts.ts";
import { describeHost } from "./host-suite.ts";
import { buildWorker } from "./processes/build-worker.ts";
import { ProcessHost } from "./processes/process-host.ts";
import { ProcessPool } from "./processes/process-pool.ts";
import { processWorld } from "./processes/process-world.ts";
import { until } from "../support/runs.ts";
import { Stage } from "./stage.ts";

/** The first time, the server's programs are fetched. */
const startLimitMs = 300_000;

let worker: string;
let postgres: Awaited<ReturnType<typeof startPostgres>>;
/** Drives nothing, so that no test kills it. */
let reader: ProcessHost;
let pool: ProcessPool;

beforeAll(async () => {
  const folder = join(tmpdir(), `clew-postgres-${process.pid}`);
  [worker, postgres] = await Promise.all([buildWorker("dbos-worker.ts"), startPostgres({ folder })]);
  const newProcess = (): ProcessHost => new ProcessHost(worker, [postgres.url]);
  reader = newProcess();
  // It has made the tables when it answers; those that follow find them.
  await reader.journal(null);
  pool = new ProcessPool(newProcess);
}, startLimitMs);

afterAll(async () => {
  await pool?.close();
  await reader?.kill();
  await postgres?.stop();
  rmSync(worker, { force: true });
});

describeHost("Postgres", async () =>
  processWorld(pool, async (runId) => (await reader.journal(runId)).flatMap((line) => ("n" in line ? [line] : []))),
);

it("G16 a dead worker's run is found by the heartbeat of another, and goes on", async () => {
  const [dying, heir] = [pool.take(), pool.take()];
  const id = await dying.start("left-behind", pinned([script("first"), script("second"), script("third")]));
  const stage = new Stage();
  // The store holds runs of other tests as well, which a worker takes up too.
  const others = new Stage();
  const handlers: Handlers = {
    ...others.handlers,
    script: (task, context) => (context.runId === id ? stage : others).handlers.script!(task, context),
  };
  const gate = stage.hold("second#1");
  dying.attend(handlers);
  await gate.reached;
  await pool.kill(dying);
  const last = stage.hold("third#1");
  heir.attend(handlers);
  await last.reached;
  expect(stage.calls).toEqual(["first#1", "second#1", "second#1", "third#1"]);
  await pool.kill(heir);
});

it("G16 a process that waits for its first run is not taken for dead by the others", async () => {
  const [busy, waiting] = [pool.take(), pool.take()];
  await waiting.journal(null);
  const stage = new Stage();
  busy.attend(stage.handlers);
  // Two beats of the other at least, in which it removes what dead processes left.
  for (const name of ["one", "two"]) {
    const id = await waiting.start(`beat-${name}`, pinned([script(name)]));
    await until(async () => (await reader.journal(id)).some(({ type }) => type === "workflow.completed"));
  }
  await pool.kill(busy);
  const id = await waiting.start("first-of-its-own", pinned([script("first")]));
  expect(await goOn(waiting, id, { handlers: stage.handlers })).toEqual(completed);
  pool.giveBack([waiting]);
});

it("G16 a process whose connection breaks ends its work at once, and may not write what it did", async () => {
  const [driver, next] = [pool.take(), pool.take()];
  const stage = new Stage();
  const id = await driver.start("cut-off", pinned([script("first"), script("second")]));
  const gate = stage.hold("second#1");
  const drive = driver.drive(id, { handlers: stage.handlers });
  drive.catch(() => undefined);
  await gate.reached;
  await cutOff(id);
  await expect(drive).rejects.toMatchObject({ code: "interrupted" });
  expect(stage.ended).toEqual({ "second#1": "interrupted" });
  expect(await goOn(next, id, { handlers: stage.handlers })).toEqual(completed);
  expect(stage.calls).toEqual(["first#1", "second#1", "second#1"]);
  const other = await driver.start("later", pinned([script("first")]));
  expect(await driver.drive(other, { handlers: stage.handlers })).toEqual(completed);
  pool.giveBack([driver, next]);
});

/** Ends the connection that holds a run's lock. */
async function cutOff(runId: string): Promise<void> {
  const client = new pg.Client({ connectionString: postgres.url });
  await client.connect();
  await client.query(
    `SELECT pg_terminate_backend(pid) FROM pg_locks, hashtextextended($1, 0) AS key
     WHERE locktype = 'advisory' AND (classid::bigint << 32 | objid::bigint) = key`,
    [`clew run ${runId}`],
  );
  await client.end();
}
