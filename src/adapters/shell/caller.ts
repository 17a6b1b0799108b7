import { readlinkSync } from "node:fs";
import { userInfo } from "node:os";
import type { Caller, CallerStep } from "../../app/run/ports.ts";
import { markOf, markVariable, splitMarks, stepOfMark } from "./marks.ts";
import type { ProcessTable } from "./process-table.ts";
import { systemProcesses } from "./processes.ts";

/** A process that drives a run: all that it starts, it starts for a step. */
export interface Driver {
  run: string;
  pid: number;
  started: string;
}

/** This process, and the steps that it or a living ancestor of it was started by. */
export function systemCaller(env: Record<string, string | undefined>, drivers: Driver[] = []): Caller {
  const steps = stepsAround(systemProcesses(), env, drivers);
  return { user: userName(), terminal: terminalName(), pid: process.pid, steps };
}

/**
 * By the marks in its own environment, and in those that its living ancestors were started with. What only says that it
 * belongs to a run is believed as well; and so is a parent that drives one, whatever became of the marks on the way.
 */
function stepsAround(table: ProcessTable, env: Record<string, string | undefined>, drivers: Driver[]): CallerStep[] {
  const steps = new Map<string, CallerStep>();
  const add = (pid: number, marks: string[]): void => {
    for (const { step, run } of marks.map(stepOfMark)) {
      if (!steps.has(step)) steps.set(step, { step, run, pid, program: table.nameOf(pid) });
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

function userName(): string {
  try {
    return userInfo().username;
  } catch {
    // There is no such user in the system's list.
    return String(process.getuid?.() ?? "unknown");
  }
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
