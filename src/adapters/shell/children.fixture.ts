import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { systemIds } from "../system/system.ts";
import { systemProcesses } from "./processes.ts";
import { runChild, type ChildEnd, type ChildListeners, type ChildRecord, type ChildSpec } from "./run-child.ts";

/** A mark that no other test has. */
export const newMark = (): string => `test-${systemIds.random(12)}`;

export interface Ran extends ChildEnd {
  stdout: string;
  stderr: string;
  records: ChildRecord[];
}

/** Runs a script with /bin/sh, or a command. */
export async function run(
  command: string | string[],
  { folder = "/", env = process.env, mark = newMark(), ...spec }: Partial<ChildSpec> = {},
  listeners: Partial<ChildListeners> = {},
): Promise<Ran> {
  const told = { stdout: "", stderr: "", records: [] as ChildRecord[] };
  const end = await runChild(
    { command: typeof command === "string" ? ["/bin/sh", "-c", command] : command, folder, env, mark, ...spec },
    {
      signal: new AbortController().signal,
      onStarted: (record) => told.records.push(record),
      onStdout: (text) => (told.stdout += text),
      onStderr: (text) => (told.stderr += text),
      graceMs: 300,
      ...listeners,
    },
  );
  return { ...end, ...told };
}

export const isAlive = (pid: number): boolean => systemProcesses().get(pid) !== undefined;

export function marked(mark: string): number[] {
  const all = systemProcesses().all(new Set([mark]));
  return all.filter((each) => each.hasMark).map(({ pid }) => pid);
}

/** Waits for what must come about. */
export async function until(holds: () => boolean, patienceMs = 10_000): Promise<void> {
  for (let tries = 0; !holds(); tries++) {
    if (tries * 10 > patienceMs) throw new Error("It never came about.");
    await pause(10);
  }
}

/** Gives the work a folder and takes it away afterwards. */
export async function inFolder<T>(work: (folder: string) => Promise<T>): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), "clew shell's "));
  try {
    return await work(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
