import { systemProcesses } from "./processes.ts";

/** Identifies a process among all that ever had its pid. */
export interface ProcessName {
  pid: number;
  started: string;
  boot: string;
}

/** Whether a process is alive in this run of the machine. */
export function isAliveIn(boot: string): (process: ProcessName) => boolean {
  return (process) => process.boot === boot && systemProcesses().get(process.pid)?.started === process.started;
}

export function thisProcess(boot: string): ProcessName {
  return { pid: process.pid, started: systemProcesses().get(process.pid)?.started ?? "", boot };
}
