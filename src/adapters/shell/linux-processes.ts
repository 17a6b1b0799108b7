import { closeSync, openSync, readFileSync, readSync, readdirSync } from "node:fs";
import { bootName } from "../system/system.ts";
import { markVariable, splitMarks } from "./marks.ts";
import type { ProcessInfo, ProcessTable } from "./process-table.ts";

/** The processes that /proc shows. */
export function linuxProcesses(): ProcessTable {
  // A line of /proc/PID/stat is shorter than this, and one read gives all of it.
  const buffer = Buffer.allocUnsafe(4096);
  const one = (pid: number): ProcessInfo | undefined => {
    const line = readOnce(`/proc/${pid}/stat`, buffer);
    return line === undefined ? undefined : parseStat(line);
  };
  return {
    boot: bootName(),
    one,
    all(marks, since = "0") {
      const found: ProcessInfo[] = [];
      for (const pid of allPids()) {
        const info = one(pid);
        if (info === undefined) continue;
        const isAsked = marks !== undefined && Number(info.started) >= Number(since);
        found.push(isAsked ? { ...info, marked: marksOf(pid).some((mark) => marks.has(mark)) } : info);
      }
      return found;
    },
    marksOf,
    nameOf: (pid) => readOnce(`/proc/${pid}/comm`, buffer)?.trimEnd() ?? "",
  };
}

/**
 * The list is read again until nobody new is on it: a process that forks and ends meanwhile would be missed, and its
 * child too. Where processes come faster than that, enough is enough.
 */
function* allPids(): Generator<number> {
  const seen = new Set<string>();
  for (let round = 0; round < 20; round++) {
    const fresh = readdirSync("/proc").filter((name) => /^\d+$/.test(name) && !seen.has(name));
    if (fresh.length === 0) return;
    for (const name of fresh) {
      seen.add(name);
      yield Number(name);
    }
  }
}

/** The fields of proc(5); the name, which may hold anything, ends at the last bracket. Undefined for a zombie. */
export function parseStat(line: string): ProcessInfo | undefined {
  const fields = line.slice(line.lastIndexOf(")") + 2).split(" ");
  const [state, parent, group, session] = fields;
  const started = fields[19];
  if (started === undefined || state === "Z" || state === "X") return undefined;
  return {
    pid: Number.parseInt(line, 10),
    parent: Number(parent),
    group: Number(group),
    session: Number(session),
    stopped: state === "T",
    started,
    marked: false,
  };
}

/** A process that ends while it is read is as good as one that ended before. */
function readOnce(path: string, buffer: Buffer): string | undefined {
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

function marksOf(pid: number): string[] {
  try {
    const entries = readFileSync(`/proc/${pid}/environ`, "latin1").split("\0");
    const start = `${markVariable}=`;
    return splitMarks(entries.find((each) => each.startsWith(start))?.slice(start.length));
  } catch {
    // It ended, or is another user's.
    return [];
  }
}
