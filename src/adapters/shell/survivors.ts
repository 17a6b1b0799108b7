import { defaultGraceMs, endProcesses } from "./end-processes.ts";
import { createFamily } from "./family.ts";
import { systemProcesses } from "./processes.ts";
import type { ChildRecord } from "./run-child.ts";

export interface SurvivorOptions {
  /** How long they have to end by themselves after a TERM. */
  graceMs?: number;
}

/** The pids of what is left of children that a Clew which is gone has recorded. */
export function findSurvivors(records: ChildRecord[]): number[] {
  const table = systemProcesses();
  const leaders = records.filter(({ boot }) => boot === table.boot);
  if (leaders.length === 0) return [];
  const { processes } = createFamily({ table, leaders, mayBeStale: true }).look({ byMark: true });
  return processes.map(({ pid }) => pid);
}

/**
 * Ends what is left of children that a Clew which is gone has recorded, and gives their pids. Their leaders are known
 * by pid and start, the rest by group, descent and mark: a pid that belongs to another by now is not touched.
 */
export async function endSurvivors(records: ChildRecord[], options: SurvivorOptions = {}): Promise<number[]> {
  const table = systemProcesses();
  const leaders = records.filter(({ boot }) => boot === table.boot);
  if (leaders.length === 0) return [];
  const family = createFamily({ table, leaders, mayBeStale: true });
  const { ended } = await endProcesses(() => family.look({ byMark: true }), {
    graceMs: options.graceMs ?? defaultGraceMs,
  });
  return ended;
}
