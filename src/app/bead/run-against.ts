import type { UnfinishedRun } from "../../contract/api/bead-shapes.ts";
import type { ListedRun } from "../../contract/api/run.ts";
import { beadStatuses, beadStatusOf, tombstone } from "../../contract/bead.ts";
import { ClewError } from "../../contract/errors.ts";
import { statusUnder } from "../run/bead-of-run.ts";
import type { BeadReader } from "./ports.ts";

/** What is asked of the runs of a bead. */
export interface BeadRuns {
  /** Whether there was ever a run; without one, ten thousand beads need not be read for it. */
  hasRuns: () => boolean;
  isClaimed: (beadId: string) => boolean;
  /** The run of a bead that is not over. Loads all that runs need. */
  unfinishedRunOf: (beadId: string) => Promise<UnfinishedRun | undefined>;
  /** The latest run of a bead; undefined when it never had one. Loads all that runs need. */
  latestRunOf: (beadId: string) => Promise<Pick<ListedRun, "id" | "status"> | undefined>;
}

/**
 * The run of a bead that is not over and would give it another status than this one. Runs are loaded only for a bead that
 * is claimed, or that is worked on by what it says.
 */
export async function runAgainst(
  { hasRuns, isClaimed, unfinishedRunOf }: BeadRuns,
  beads: BeadReader,
  beadId: string,
  status: string,
): Promise<UnfinishedRun | undefined> {
  if (!hasRuns()) return undefined;
  const bead = beads.find(beadId);
  // What is no status at all is refused as such.
  const isStatus = status === tombstone || beadStatuses.some((each) => each === status);
  if (!bead || !isStatus || beadStatusOf(bead) === status) return undefined;
  if (!isClaimed(beadId) && beadStatusOf(bead) === "open") return undefined;
  const run = await unfinishedRunOf(beadId);
  return run && statusUnder(run.status) !== status ? run : undefined;
}

/** Without its bead, a run would not tell any more what it is about. */
export async function refuseAtWork(runs: BeadRuns, beads: BeadReader, beadId: string): Promise<void> {
  const run = await runAgainst(runs, beads, beadId, tombstone);
  if (!run) return;
  throw new ClewError(
    "not_possible_now",
    `run ${run.id} of ${beadId} is ${run.status}, not over`,
    `clew run cancel ${run.id} gives it up; then delete the bead`,
  );
}
