import { beadsBelow } from "../../bead/below.ts";
import { isUnfinished } from "../../bead/readiness.ts";
import type { Bead } from "../../contract/bead.ts";

/** How much of a bead is not done: what it contains, or the bead itself. */
export function leftOf(beads: readonly Bead[], bead: Bead): number {
  const below = beadsBelow(beads, bead.id);
  return (below.length > 0 ? below : [bead]).filter(isUnfinished).length;
}
