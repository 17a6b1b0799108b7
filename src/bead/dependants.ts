import type { Dependants } from "../contract/api/bead-shapes.ts";
import type { Bead } from "../contract/bead.ts";
import { awaitedBy } from "./dependency-cycle.ts";
import { isUnfinished, readinessOf } from "./readiness.ts";

/** What hangs on a bead; nothing when it is done. */
export function dependantsOf(id: string, beads: readonly Bead[], nowMs: number): Dependants {
  const bead = beads.find((each) => each.id === id);
  if (!bead || !isUnfinished(bead)) return { depending: [], released: [] };
  const others = beads.filter((each) => each !== bead);
  const [now, without] = [readinessOf(beads, nowMs), readinessOf(others, nowMs)];
  return {
    depending: others.filter((each) => isUnfinished(each) && awaitedBy(each).includes(id)).map((each) => each.id),
    released: others.filter((each) => without.isReady(each) && !now.isReady(each)).map((each) => each.id),
  };
}
