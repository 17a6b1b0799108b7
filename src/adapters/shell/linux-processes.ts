import { closeSync, openSync, readFileSync, readSync } from "node:fs";
import { bootName } from "../system/system.ts";
import { markVariable, splitMarks } from "./process-marks.ts";
import { newPids } from "./new-pids.ts";
import type { ListProcesses, ProcessInfo, ProcessTable, Since } from "./process-table.ts";

/** The processes that /proc shows. */
export function linuxProcesses(): ProcessTable {
  const since = ({ started, pid }: Since): ListProcesses => {
    const pids = newPids(pid);
    return (marks) => {
      const processes: ProcessInfo[] = [];
      for (const each of pids.list()) {
        const info = readProcess(each);
        if (info === undefined) continue;
        if (Number(info.started) < Number(started)) pids.skip(each);
        else processes.push(marks === undefined ? info : { ...info, hasMark: hasMark(each, marks) });
      }
      return processes;
    };
  };
  return {
    boot: bootName(),
    get: readProcess,
    since,
    all: (marks) => since({ started: "0" })(marks),
    marksOf: (pid) => readMarks(pid) ?? [],
    nameOf: (pid) => readOnce(`/proc/${pid}/comm`)?.trimEnd() ?? "",
  };
}

function readProcess(pid: number): ProcessInfo | undefined {
  const line = readOnce(`/proc/${pid}/stat`);
  return line === undefined ? undefined : parseStat(line);
}

function hasMark(pid: number, marks: ReadonlySet<string>): boolean | undefined {
  return readMarks(pid)?.some((mark) => marks.has(mark));
}

/** Undefined for a zombie, and for a thread: /proc does not list threads, but has a folder for each. */
export function parseStat(line: string): ProcessInfo | undefined {
  const { state, parent, group, session, started, exitSignal } = statFields(line);
  if (started === undefined || isDead(state) || exitSignal === "-1") return undefined;
  return {
    pid: Number.parseInt(line, 10),
    parent: Number(parent),
    group: Number(group),
    session: Number(session),
    isStopped: state === "T",
    started,
    hasMark: false,
  };
}

/** The fields of proc(5); the name, which may hold anything, ends at the last bracket. */
function statFields(line: string): Record<string, string | undefined> {
  const fields = line
    .slice(line.lastIndexOf(")") + 2)
    .trimEnd()
    .split(" ");
  const [state, parent, group, session] = fields;
  const [flags, started, exitSignal, environmentEnd] = [fields[6], fields[19], fields[35], fields[48]];
  return { state, parent, group, session, flags, started, exitSignal, environmentEnd };
}

function isDead(state: string | undefined): boolean {
  return state === "Z" || state === "X";
}

/**
 * Undefined while a process is between two programs: the next one has no environment yet, and its end is 0 in the stat
 * line. A process that was started without any environment has an end.
 */
function readMarks(pid: number): string[] | undefined {
  let environment: string;
  try {
    environment = readFileSync(`/proc/${pid}/environ`, "latin1");
  } catch {
    // The process ended, or belongs to another user.
    return [];
  }
  if (environment === "") return isBetweenPrograms(readOnce(`/proc/${pid}/stat`) ?? "") ? undefined : [];
  const start = `${markVariable}=`;
  const entry = environment.split("\0").find((each) => each.startsWith(start));
  return splitMarks(entry?.slice(start.length));
}

/** `line` is of /proc/PID/stat. The kernel's own threads never have an environment. */
export function isBetweenPrograms(line: string): boolean {
  const { state, flags, environmentEnd } = statFields(line);
  return state !== undefined && !isDead(state) && (Number(flags) & kernelThread) === 0 && environmentEnd === "0";
}

/** PF_KTHREAD of the kernel's flags. */
const kernelThread = 0x00200000;

/** Undefined also when the process ends during the read. */
function readOnce(path: string): string | undefined {
  // A line of /proc/PID/stat is shorter than this, and one read gives all of it.
  const buffer = Buffer.allocUnsafe(4096);
  try {
    const fd = openSync(path, "r");
    try {
      return buffer.toString("latin1", 0, readSync(fd, buffer));
    } finally {
      closeSync(fd);
    }
  } catch {
    return undefined;
  }
}
