import { defaultGraceMs, endProcesses } from "./end-processes.ts";
import { createFamily, type Members } from "./family.ts";
import { systemProcesses } from "./processes.ts";
import type { ChildRecord } from "./run-child.ts";
import { removeStepFolder } from "./step-folder.ts";

/** The pids of processes that still run of children that an earlier, dead Clew process recorded. */
export function findSurvivors(records: ChildRecord[]): number[] {
  return survivorsOf(records)().processes.map(({ pid }) => pid);
}

/**
 * Ends the processes that still run of children that an earlier, dead Clew process recorded, and returns their pids. Leaders
 * are identified by pid and start, the others by group, descent and mark: a reused pid is not touched.
 */
export async function endSurvivors(
  records: ChildRecord[],
  { graceMs = defaultGraceMs }: { graceMs?: number } = {},
): Promise<number[]> {
  return (await endProcesses(survivorsOf(records), { graceMs })).ended;
}

/** Ends them, and removes the folders of their steps. */
export async function cleanUpAfter(records: (ChildRecord & { folder?: string | undefined })[]): Promise<void> {
  await endSurvivors(records);
  for (const { folder } of records) if (folder !== undefined) removeStepFolder(folder);
}

function survivorsOf(records: ChildRecord[]): () => Members {
  const table = systemProcesses();
  const leaders = records.filter(({ boot }) => boot === table.boot);
  if (leaders.length === 0) return () => ({ processes: [], groups: [], isUnsettled: false });
  const family = createFamily({ table, leaders, mayBeStale: true });
  return () => family.look({ byMark: true });
}
