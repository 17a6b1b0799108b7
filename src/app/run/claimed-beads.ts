import { ClewError } from "../../contract/errors.ts";
import type { UnfinishedRun } from "../../contract/api/bead-shapes.ts";
import type { RunBeads } from "./bead-of-run.ts";
import type { Claims, RunStore } from "./ports.ts";
import { isOver, statusNow } from "./read.ts";

export interface ClaimParts {
  store: RunStore;
  claims: Claims;
  beads: RunBeads;
}

/** The run of a bead that is not over, also when its claim was lost or never finished. */
export function unfinishedRunOf(
  { claims, store }: Omit<ClaimParts, "beads">,
  beadId: string,
): UnfinishedRun | undefined {
  const holder = claims.holder(beadId);
  const id = holder !== undefined && isOpenFor(store, holder, beadId) ? holder : openRunOf(store, beadId);
  return id === undefined ? undefined : { id, status: statusNow(store, store.state(id)) };
}

/** The same by a look through all runs, whatever the claim says. */
export function openRunOf(store: RunStore, beadId: string): string | undefined {
  return store.openIds().find((id) => isOpenFor(store, id, beadId));
}

function isOpenFor(store: RunStore, id: string, beadId: string): boolean {
  try {
    const state = store.state(id);
    return state.bead_id === beadId && !isOver(state);
  } catch {
    return false;
  }
}

/** A claim that a crash left without its run gets that run, or goes; its bead is given back where it was taken. */
export async function reclaim({ store, claims, beads }: ClaimParts, beadId: string): Promise<string | undefined> {
  return claims.mend(beadId, {
    find: () => openRunOf(store, beadId),
    giveBack: async (mark) => {
      if ((await beads.giveBack(beadId, mark)) !== "unclear") return true;
      throw new ClewError(
        "not_possible_now",
        `nobody can tell whether ${beadId} is in progress by that run, which never began, or by a person`,
        `clew bead reopen ${beadId} gives it back; clew run ${beadId} begins a run`,
      );
    },
  });
}

/** Mends the claims that a crash left without a run, before a scheduler looks for beads. What cannot be mended now waits. */
export async function reclaimAbandoned(parts: ClaimParts): Promise<void> {
  const abandoned = parts.claims.all().filter(({ run, isDriven }) => run === null && !isDriven);
  for (const { bead } of abandoned) await reclaim(parts, bead).catch(() => undefined);
}

/** The processes that drive runs, as the claims have them. */
export function driversIn(claims: Pick<Claims, "all">): { run: string; pid: number; started: string }[] {
  return claims.all().flatMap(({ run, driver }) => (run === null ? [] : [{ run, ...driver }]));
}
