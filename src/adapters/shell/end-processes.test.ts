import { spawn } from "node:child_process";
import { once } from "node:events";
import { describe, expect, test } from "vitest";
import { endProcesses } from "./end-processes.ts";
import type { Members } from "./family.ts";
import { systemProcesses } from "./processes.ts";

describe("G10 ending processes", () => {
  test("G10 who outlives a KILL is named, and not waited for for ever", async () => {
    const child = spawn("sleep", ["1000"], { detached: true, stdio: "ignore" });
    const exited = once(child, "exit");
    const info = systemProcesses().get(child.pid ?? 0);
    const processes = info === undefined ? [] : [info];
    // As it looks when a process is stuck in the kernel: signals are sent, and it stays.
    const ended = await endProcesses(() => ({ processes, groups: [], isUnsettled: false }), {
      graceMs: 20,
      killTimeoutMs: 20,
    });
    expect(ended).toEqual({ ended: [], survivors: [child.pid] });
    expect(await exited).toEqual([null, "SIGTERM"]);
  });

  test("G10 whom it may not tell is passed over", async () => {
    const gone = { pid: 2 ** 30, parent: 1, group: 2 ** 30, session: 0, isStopped: true, started: "0", hasMark: false };
    const looks = [[gone], [gone], []];
    const find = (): Members => ({ processes: looks.shift() ?? [], groups: [gone.group], isUnsettled: false });
    expect(await endProcesses(find, { graceMs: 0 })).toEqual({ ended: [gone.pid], survivors: [] });
  });

  test("G10 a kill ends the grace, however long it is and however late it comes", async () => {
    const stuck = {
      pid: 2 ** 30,
      parent: 1,
      group: 2 ** 30,
      session: 0,
      isStopped: false,
      started: "0",
      hasMark: false,
    };
    const kill = new AbortController();
    setTimeout(() => kill.abort(), 30);
    const find = (): Members => ({ processes: [stuck], groups: [stuck.group], isUnsettled: false });
    const ended = await endProcesses(find, { graceMs: 60_000, killTimeoutMs: 20, kill: kill.signal });
    expect(ended).toEqual({ ended: [], survivors: [stuck.pid] });
  });
});
