import { readlinkSync } from "node:fs";
import { userInfo } from "node:os";
import type { Caller, CallerStep } from "../../app/run/ports.ts";
import { markOf, markVariable, splitMarks, stepOfMark } from "./process-marks.ts";
import type { ProcessTable } from "./process-table.ts";
import { systemProcesses } from "./processes.ts";
import { attempt } from "../../text/attempt.ts";

/** A process that drives a run. All its children belong to steps. */
export interface Driver {
  run: string;
  pid: number;
  started: string;
}

/** The drivers of the repository around a folder; none where there is no repository. */
export type DriversAround = (folder: string) => Driver[];

/** This process, and the steps that started it or a living ancestor of it. */
export function systemCaller(env: Record<string, string | undefined>, driversAround: DriversAround): Caller {
  const steps = stepsAround(systemProcesses(), env, driversAround);
  return { user: userName(), terminal: terminalName(), pid: process.pid, steps };
}

/**
 * Finds steps by the marks in its own environment and in those that its living ancestors were started with, by `CLEW_RUN`,
 * and by an ancestor that drives a run, even when the marks were removed on the way. A driver works in its repository,
 * wherever the caller has gone since.
 */
function stepsAround(
  table: ProcessTable,
  env: Record<string, string | undefined>,
  driversAround: DriversAround,
): CallerStep[] {
  const steps = new Map<string, CallerStep>();
  const add = (pid: number, marks: string[]): void => {
    for (const each of marks.map(stepOfMark)) {
      if (!steps.has(each.step)) steps.set(each.step, { ...each, pid, program: table.nameOf(pid) });
    }
  };
  add(process.pid, splitMarks(env[markVariable]));
  const { CLEW_RUN: runId, CLEW_STEP: address = "" } = env;
  if (runId) add(process.pid, [markOf({ runId, path: address.replace(/#\d+$/, "") || "unknown" }, "named")]);
  const ancestorPids = new Set<number>();
  for (let pid: number = process.pid; pid > 0 && !ancestorPids.has(pid); pid = table.get(pid)?.parent ?? 0) {
    ancestorPids.add(pid);
    add(pid, table.marksOf(pid));
  }
  const folders = new Set([...ancestorPids].flatMap(workingFolder));
  const drivers = [...folders].flatMap(driversAround);
  for (const pid of ancestorPids) {
    const started = pid === process.pid ? undefined : table.get(pid)?.started;
    const runIds = drivers
      .filter((driver) => driver.pid === pid && driver.started === started)
      .map((driver) => driver.run);
    const isNamed = [...steps.values()].some(({ run }) => run !== null && runIds.includes(run));
    if (runIds[0] !== undefined && !isNamed) add(pid, [markOf({ runId: runIds[0], path: "unknown" }, "driver")]);
  }
  return [...steps.values()];
}

/** None of a process that has ended, or of another user. */
function workingFolder(pid: number): string[] {
  return attempt(() => [readlinkSync(`/proc/${pid}/cwd`)], []);
}

function userName(): string {
  // The system's list has no such user.
  return attempt(() => userInfo().username, String(process.getuid?.() ?? "unknown"));
}

/** The terminal that the command was typed at. */
function terminalName(): string | null {
  for (const fd of [0, 2, 1]) {
    try {
      const name = readlinkSync(`/proc/self/fd/${fd}`);
      if (/^\/dev\/(?:pts\/\d+|tty\w*|console)$/.test(name)) return name;
    } catch {
      // It is closed, or there is no /proc.
    }
  }
  return null;
}
