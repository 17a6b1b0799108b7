import { isWaitingType } from "../../bead/dependency-cycle.ts";
import { parentsOf, readinessOf } from "../../bead/readiness.ts";
import { deletedAt } from "../../bead/tombstone.ts";
import { waitingCircles } from "../../bead/waiting-circles.ts";
import type { BeadDetails } from "../../contract/api/bead-shapes.ts";
import { dependenciesOf, dependencyType, type Bead } from "../../contract/bead.ts";
import type { ListedRun } from "../../contract/api/run.ts";
import { unknownBead } from "./find.ts";
import type { BeadReader } from "./ports.ts";
import type { BeadRuns } from "./run-against.ts";

interface ShowNow {
  nowMs: number;
  /** The work session that holds a bead, for each that is held so. */
  held: ReadonlyMap<string, string>;
}

/** A bead with what can be told of it only by looking at those around it, and its latest run. */
export async function showBead(
  store: BeadReader,
  id: string,
  { runs, ...now }: ShowNow & { runs: Pick<BeadRuns, "hasRuns" | "latestRunOf"> },
): Promise<BeadDetails> {
  const beads = store.around(id);
  const bead = beads.find((each) => each.id === id);
  if (!bead) {
    const ids = store.all().beads.map((each) => each.id);
    throw unknownBead(id, ids, store.place);
  }
  const run = runs.hasRuns() ? await runs.latestRunOf(id) : undefined;
  const session = now.held.get(id);
  return {
    ...shownBead(bead, { beads, tombstones: () => store.deleted() }, now),
    ...(run && { run: { id: run.id, status: run.status, next: nextCommand(run) } }),
    ...(session !== undefined && { work: { session, next: `clew session resume ${session}` } }),
  };
}

type RunName = Pick<ListedRun, "id" | "status">;

/** The command with which a person takes up a run as it stands. */
function nextCommand({ id, status }: RunName): string {
  const commands: Partial<Record<RunName["status"], string>> = {
    pending_merge: `clew run diff ${id}`,
    interrupted: `clew run resume ${id}`,
    running: `clew run log ${id} -f`,
  };
  return commands[status] ?? `clew run show ${id}`;
}

/** `tombstones` are asked for only when something that the bead depends on is not there. */
function shownBead(
  bead: Bead,
  { beads, tombstones }: { beads: Bead[]; tombstones: () => ReadonlyMap<string, Bead> },
  { nowMs, held }: ShowNow,
): Omit<BeadDetails, "run" | "work"> {
  const readiness = readinessOf(beads, nowMs, held);
  const absentIds = readiness.missingOf(bead);
  const tombstoneOf = absentIds.length === 0 ? new Map<string, Bead>() : tombstones();
  return {
    bead,
    ready: readiness.isReady(bead),
    standing: readiness.standingOf(bead),
    parents: parentsOf(bead),
    blocked_by: readiness.blockersOf(bead),
    held_by_parent: readiness.heldParentsOf(bead),
    missing: absentIds.filter((id) => !tombstoneOf.has(id)),
    deleted: absentIds.flatMap((id) =>
      tombstoneOf.has(id) ? [{ id, at: deletedAt(tombstoneOf.get(id)!) ?? null }] : [],
    ),
    circle: waitingCircles(beads).through(bead.id) ?? [],
    blocks: beads.flatMap((each) => (readiness.blockersOf(each).includes(bead.id) ? [each.id] : [])),
    children: readiness.openChildrenOf(bead).map((each) => each.id),
    related: dependenciesOf(bead)
      .map((each) => ({ type: dependencyType(each), id: each.depends_on_id }))
      .filter(({ type }) => !isWaitingType(type)),
  };
}
