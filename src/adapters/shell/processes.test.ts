import { spawn } from "node:child_process";
import { once } from "node:events";
import { readdirSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { isBetweenPrograms, linuxProcesses, parseStat } from "./linux-processes.ts";
import { parsePsLine, psProcesses } from "./ps-processes.ts";

describe("G10 what the system tells of processes", () => {
  test("G10 a program's name may hold brackets, blanks and newlines", () => {
    const rest = "S 7 8 9 0 -1 1 2 3 4 5 6 7 8 9 20 0 1 0 4711 1 2";
    for (const name of ["cat", "a b", ") Z 1 (", "a\nb)"]) {
      expect(parseStat(`12 (${name}) ${rest}\n`)).toEqual({
        pid: 12,
        parent: 7,
        group: 8,
        session: 9,
        isStopped: false,
        started: "4711",
        hasMark: false,
      });
    }
  });

  test("G10 a zombie is not alive", async () => {
    // It ends only once no process is left that would take notice: `sleep` does not wait for children.
    const parent = spawn("/bin/sh", ["-c", "sleep 0.3 & echo $!; exec sleep 1000"], {
      stdio: ["ignore", "pipe", "ignore"],
    });
    const [line] = (await once(parent.stdout, "data")) as [Buffer];
    const pid = Number(line.toString());
    try {
      for (const table of [linuxProcesses(), psProcesses()]) {
        await expect.poll(() => table.get(pid), { timeout: 10_000 }).toBeUndefined();
        expect(table.all().map((each) => each.pid)).not.toContain(pid);
      }
      expect(() => process.kill(pid, 0)).not.toThrow();
    } finally {
      parent.kill("SIGKILL");
    }
  });

  test("G10 a thread is not a process of its own", () => {
    const threads = readdirSync("/proc/self/task").map(Number);
    expect(threads.length).toBeGreaterThan(1);
    expect(threads.filter((each) => linuxProcesses().get(each))).toEqual([process.pid]);
  });

  test("G10 who is becoming another program is told from who has no environment", () => {
    const stat = (state: string, flags: number, end: number): string =>
      `12 (cat) ${state} 7 8 9 0 -1 ${flags} ${"0 ".repeat(12)}4711 ${"0 ".repeat(28)}${end} 0\n`;
    expect(parseStat(stat("R", 0, 0))?.started).toBe("4711");
    expect(isBetweenPrograms(stat("R", 0x400000, 0))).toBe(true);
    expect(isBetweenPrograms(stat("S", 0x400000, 140_000))).toBe(false);
    expect(isBetweenPrograms(stat("I", 0x200000, 0))).toBe(false);
    expect(isBetweenPrograms(stat("Z", 0, 0))).toBe(false);
    expect(isBetweenPrograms("")).toBe(false);
    const bare = spawn("sleep", ["1000"], { env: {}, stdio: "ignore" });
    try {
      const look = linuxProcesses().all(new Set(["x"]));
      expect(look.find(({ pid }) => pid === bare.pid)?.hasMark).toBe(false);
    } finally {
      bare.kill("SIGKILL");
    }
  });

  test("G10 ps tells the same as /proc", () => {
    const here = linuxProcesses().get(process.pid);
    const there = psProcesses().get(process.pid);
    expect(there).toMatchObject({ pid: here?.pid, parent: here?.parent, group: here?.group, isStopped: false });
    expect(psProcesses().all()).toContainEqual(there);
    expect(there?.started).toMatch(/^\w{3} \w{3} \d+ [\d:]{8} \d{4}$/);
  });

  test("G10 lines of ps that are no process, or a zombie", () => {
    expect(parsePsLine("")).toBeUndefined();
    expect(parsePsLine("  12  1  12 Z+   Mon Nov  2 01:02:03 2026")).toBeUndefined();
    expect(parsePsLine("  12  1  11 Ts   Mon Nov  2 01:02:03 2026    ")).toEqual({
      pid: 12,
      parent: 1,
      group: 11,
      session: 0,
      isStopped: true,
      started: "Mon Nov 2 01:02:03 2026",
      hasMark: false,
    });
  });
});
