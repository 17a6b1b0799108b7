import type { SessionRecords, Surroundings } from "./ports.ts";

/** `isInMemory`: nothing may be written. */
export interface AwayParts {
  records: SessionRecords;
  surroundings: Surroundings;
  place: { isInMemory: boolean };
}

// Sessions whose write-ahead copy is here and whose file may stand on another branch.

/** The name of the branches while sessions stand on others than the one that is checked out. */
export function branchesName({ records, surroundings }: Omit<AwayParts, "place">): string | null {
  const present = new Set(records.ids());
  return records.copyIds().every((id) => present.has(id)) ? null : surroundings.branchesName();
}

/**
 * Sessions whose folder is gone although their copy is here: not deleted by `clew`, so they come back. Unless they
 * left with a branch that holds all of them: then they are there, and those that ended need no copy any more.
 */
export async function lostSessions(parts: AwayParts, present: Set<string>): Promise<string[]> {
  const { records, surroundings } = parts;
  const lost: string[] = [];
  for (const id of records.copyIds()) {
    if (present.has(id)) continue;
    await dropCommittedCopy(parts, id);
    if (records.hasCopy(id) && !surroundings.isElsewhere(id)) lost.push(id);
  }
  return lost;
}

export async function dropCommittedCopy({ records, surroundings, place }: AwayParts, id: string): Promise<void> {
  if (!place.isInMemory && records.hasCopy(id)) await surroundings.dropCommittedCopy(id);
}
