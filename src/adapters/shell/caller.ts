import { readlinkSync } from "node:fs";
import { userInfo } from "node:os";
import type { Caller, CallerStep } from "../../app/run-ports.ts";
import { markOf, markVariable, splitMarks, stepOfMark } from "./marks.ts";
import type { ProcessTable } from "./process-table.ts";
import { systemProcesses } from "./processes.ts";

/** This process, and the steps that it or a living ancestor of it was started by. */
export function systemCaller(env: Record<string, string | undefined>): Caller {
  return { user: userName(), terminal: terminalName(), pid: process.pid, steps: stepsAround(systemProcesses(), env) };
}

/**
 * By the marks in its own environment, and in those that its living ancestors were started with. What only says that it
 * belongs to a run is believed as well.
 */
function stepsAround(table: ProcessTable, env: Record<string, string | undefined>): CallerStep[] {
  const steps = new Map<string, CallerStep>();
  const add = (pid: number, marks: string[]): void => {
    for (const { step, run } of marks.map(stepOfMark)) {
      if (!steps.has(step)) steps.set(step, { step, run, pid, program: table.nameOf(pid) });
    }
  };
  add(process.pid, splitMarks(env[markVariable]));
  const { CLEW_RUN: run, CLEW_STEP: address = "" } = env;
  if (run) add(process.pid, [markOf({ runId: run, path: address.replace(/#\d+$/, "") || "step" }, "named")]);
  const seen = new Set<number>();
  for (let pid: number = process.pid; pid > 0 && !seen.has(pid); pid = table.one(pid)?.parent ?? 0) {
    seen.add(pid);
    add(pid, table.marksOf(pid));
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
