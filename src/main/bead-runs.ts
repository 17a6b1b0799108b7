import { join } from "node:path";
import type { Disk } from "../adapters/files/disk.ts";
import { beadFileName } from "../adapters/journal-file/bead-file-name.ts";
import type { BeadReader } from "../app/bead-port.ts";
import { statusUnder } from "../app/run-beads.ts";
import type { Runs, UnfinishedRun } from "../app/runs.ts";
import { beadStatuses, statusOf, tombstone } from "../contract/bead.ts";

interface Parts {
  disk: Disk;
  /** The folder of the claims. */
  claims: string;
  beads: BeadReader;
  /** Whether there was ever a run; without one, ten thousand beads need not be read for it. */
  hasRuns: () => boolean;
  runs: () => Promise<Runs>;
}

/**
 * The run of a bead that is not over and would give it another status than this one. Runs are loaded only for a bead that
 * is claimed, or that somebody works on by what it says.
 */
export async function runAgainst(
  { disk, claims, beads, hasRuns, runs }: Parts,
  beadId: string,
  status: string,
): Promise<UnfinishedRun | undefined> {
  if (!hasRuns()) return undefined;
  const bead = beads.find(beadId);
  // What is no status at all is refused as such.
  const isStatus = status === tombstone || beadStatuses.some((each) => each === status);
  if (!bead || !isStatus || statusOf(bead) === status) return undefined;
  const isClaimed = disk.stamp(join(claims, `${beadFileName(beadId)}.json`)) !== undefined;
  if (!isClaimed && statusOf(bead) === "open") return undefined;
  const run = (await runs()).unfinishedRunOf(beadId);
  return run && statusUnder(run.status) !== status ? run : undefined;
}
