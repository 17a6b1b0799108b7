import type { ProcessInfo, ProcessTable } from "./process-table.ts";

const columns = ["-o", "pid=,ppid=,pgid=,stat=,lstart="];

/**
 * The processes that ps(1) shows, for systems without /proc. It does not show sessions and environments reliably. A start is
 * a date here, so it means the same in every run of the machine.
 */
export function psProcesses(): ProcessTable {
  return {
    boot: "",
    get: (pid) => ps(["-p", String(pid), ...columns])[0],
    all: () => ps(["-A", ...columns]),
    since: () => () => ps(["-A", ...columns]),
    marksOf: () => [],
    nameOf: () => "",
  };
}

function ps(args: string[]): ProcessInfo[] {
  const { spawnSync } = process.getBuiltinModule("node:child_process");
  // The date must have the same form for all users.
  const env = { ...process.env, LC_ALL: "C", TZ: "UTC" };
  const { stdout } = spawnSync("ps", args, { env, encoding: "utf8", maxBuffer: 64 * 1024 * 1024 });
  return stdout.split("\n").flatMap((line) => parsePsLine(line) ?? []);
}

/** Undefined for a zombie, and for a line without a process. */
export function parsePsLine(line: string): ProcessInfo | undefined {
  const [, pid, parent, group, state, started] = /^(\d+)\s+(\d+)\s+(\d+)\s+(\S+)\s+(\S.*)$/.exec(line.trim()) ?? [];
  if (state === undefined || started === undefined || state.startsWith("Z")) return undefined;
  return {
    pid: Number(pid),
    parent: Number(parent),
    group: Number(group),
    session: 0,
    isStopped: state.startsWith("T"),
    started: started.replace(/\s+/g, " "),
    hasMark: false,
  };
}
