import { spawn } from "node:child_process";
import { once } from "node:events";
import type { Readable } from "node:stream";
import { describe, expect, test } from "vitest";
import { isAlive, marked, newMark, run, until } from "./children.fixture.ts";
import { systemProcesses } from "./processes.ts";
import type { ChildRecord } from "./run-child.ts";
import { endSurvivors } from "./survivors.ts";

interface Orphan {
  record: ChildRecord;
  /** The pids that the script printed. */
  pids: number[];
}

/** Starts a script as `runChild` does and leaves it alone, as a Clew does that was killed; it prints `up` at its end. */
async function orphan(script: string): Promise<Orphan> {
  const mark = newMark();
  const child = spawn("/bin/sh", ["-c", script], {
    detached: true,
    env: { ...process.env, CLEW_MARK: `outer ${mark}` },
    stdio: ["ignore", "pipe", "ignore"],
  });
  const table = systemProcesses();
  const pid = child.pid ?? 0;
  const record = { pid, started: table.get(pid)?.started ?? "", boot: table.boot, mark };
  const printed = await textUntil(child.stdout, "up\n");
  return { record, pids: (printed.match(/\d+/g) ?? []).map(Number) };
}

async function textUntil(stream: Readable, end: string): Promise<string> {
  let text = "";
  while (!text.endsWith(end)) text += ((await once(stream, "data")) as [Buffer])[0].toString();
  return text;
}

const survivors = (records: ChildRecord[]): Promise<number[]> => endSurvivors(records, { graceMs: 300 });

describe("G10 survivors of a crash", () => {
  test("G10 the child, its group and what it started end", async () => {
    const { record, pids } = await orphan(
      "sleep 1000 & echo $!; sh -c 'trap \"\" TERM; while :; do sleep 0.01; done' & echo $!; echo up; sleep 1000",
    );
    expect(await survivors([record])).toEqual(expect.arrayContaining([record.pid, ...pids]));
    expect([record.pid, ...pids].filter(isAlive)).toEqual([]);
    expect(marked(record.mark)).toEqual([]);
  });

  test("G10 a child that is gone: what left its group is found by the mark", async () => {
    const { record, pids } = await orphan("setsid sh -c 'echo $$; exec sleep 1000' & sleep 0.1; echo up");
    await until(() => !isAlive(record.pid));
    expect(await survivors([record])).toEqual(pids);
    expect(pids.filter(isAlive)).toEqual([]);
  });

  test("G10 a child that is gone: who cleared its environment is found by its group", async () => {
    const { record, pids } = await orphan(
      "sleep 1000 & echo $!; env -i sleep 1000 & echo $!; sleep 0.1; echo up; exit",
    );
    await until(() => !isAlive(record.pid));
    expect(new Set(await survivors([record]))).toEqual(new Set(pids));
  });

  test("G10 several records at once, and what started within them", async () => {
    const orphans = await Promise.all(["sleep 1000", "sleep 1001"].map((work) => orphan(`echo up; ${work}`)));
    const records = orphans.map(({ record }) => record);
    expect(await survivors(records)).toEqual(expect.arrayContaining(records.map(({ pid }) => pid)));
    expect(records.flatMap(({ mark }) => marked(mark))).toEqual([]);
  });

  test("G10 nothing is left: nothing is ended", async () => {
    const { records } = await run("true");
    expect(records).toHaveLength(1);
    expect(await survivors(records)).toEqual([]);
    expect(await survivors([])).toEqual([]);
  });

  test("G10 a pid that is another's by now is not touched", async () => {
    const { record } = await orphan("echo up; sleep 1000");
    const mark = newMark();
    const others: ChildRecord[] = [
      { ...record, mark, started: `${record.started}1` },
      { ...record, mark, boot: "another boot" },
      { ...record, boot: "another boot" },
    ];
    for (const other of others) expect(await survivors([other])).toEqual([]);
    expect(isAlive(record.pid)).toBe(true);
    expect(await survivors([record, ...others])).toContain(record.pid);
  });
});
