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

/** A bead's status follows from its run while that is not over. Throws when it would be given another one. */
export async function refuseAgainstRun(
  runs: BeadRuns,
  beads: BeadReader,
  beadId: string,
  status: string,
): Promise<void> {
  const run = await runAgainst(runs, beads, beadId, status);
  if (run) throw notOver(run, beadId, `with --yes (despite_run) the bead is ${status} and the run stays`);
}

/** Without its bead, a run would not tell any more what it is about. */
export async function refuseAtWork(runs: BeadRuns, beads: BeadReader, beadId: string): Promise<void> {
  const run = await runAgainst(runs, beads, beadId, tombstone);
  if (run) throw notOver(run, beadId, "then delete the bead");
}

function notOver({ id, status }: UnfinishedRun, beadId: string, hint: string): ClewError {
  const message = `run ${id} of ${beadId} is ${status}, not over`;
  return new ClewError("not_possible_now", message, `clew run cancel ${id} gives it up; ${hint}`);
}
