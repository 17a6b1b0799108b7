import { readinessOf, readyBeads, startableBeads, type ClaimedBeads } from "../../bead/readiness.ts";
import { byUrgency, beadPage } from "../../bead/urgency.ts";
import type { BeadFilter, ListedBeads } from "../../contract/api/bead-shapes.ts";
import { beadStatusOf, beadTypeOf, labelsOf, priorityOf, type Bead } from "../../contract/bead.ts";
import type { PageRequest } from "../../contract/page.ts";
import type { BeadParts } from "./parts.ts";

/** Which part of a list is asked for, and how much of it. */
interface ListRequest extends PageRequest {
  standings?: boolean | undefined;
}

type Parts = Pick<BeadParts, "store" | "clock" | "held">;

// Lists of beads, the most urgent first.

export function listBeads(parts: Parts, request: BeadFilter & ListRequest = {}): Promise<ListedBeads> {
  return listed(parts, (beads) => byUrgency(beads.filter((bead) => matchesFilter(bead, request))), request);
}

function matchesFilter(bead: Bead, { status, type, labels = [], priority, assignee, all }: BeadFilter): boolean {
  if (status === undefined ? !all && beadStatusOf(bead) === "closed" : beadStatusOf(bead) !== status) return false;
  if (type !== undefined && beadTypeOf(bead) !== type) return false;
  if (priority !== undefined && priorityOf(bead) !== priority) return false;
  if (assignee !== undefined && bead.assignee !== assignee) return false;
  const beadLabels = labelsOf(bead);
  return labels.every((label) => beadLabels.includes(label));
}

/** What could be worked on now. */
export function listReady(parts: Parts, request: ListRequest = {}): Promise<ListedBeads> {
  return listed(parts, (beads, held) => readyBeads(beads, parts.clock.now(), held), request);
}

/** All of these, as a list. */
export async function allReady(parts: Parts): Promise<Bead[]> {
  return (await listReady(parts)).beads;
}

/** The ready ones whose work is not that of others below them: runs may be started on them without asking. */
export async function listStartable({ store, clock, held }: Parts): Promise<Bead[]> {
  return startableBeads(store.all().beads, clock.now(), await held());
}

async function listed(
  { store, clock, ...parts }: Parts,
  choose: (beads: Bead[], held: ClaimedBeads) => Bead[],
  request: ListRequest,
): Promise<ListedBeads> {
  const held = await parts.held();
  const { beads: all, unreadable } = store.all();
  const matches = choose(all, held);
  const { beads, next } = beadPage(matches, request);
  const standings = (): Record<string, string> => {
    const readiness = readinessOf(all, clock.now(), held);
    return Object.fromEntries(beads.map((bead) => [bead.id, readiness.standingOf(bead)]));
  };
  return {
    beads,
    unreadable,
    total: matches.length,
    ...(request.standings && { standings: standings() }),
    ...(next !== undefined && { next }),
  };
}
