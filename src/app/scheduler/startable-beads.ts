import type { Bead } from "../../contract/bead.ts";
import { listStartable } from "../bead/beads.ts";
import type { BeadParts } from "../bead/parts.ts";
import { reclaimAbandoned, type ClaimParts } from "../run/claimed-beads.ts";
import { cachedWhileUnchanged } from "./cached-while-unchanged.ts";

interface Parts {
  runs: ClaimParts;
  beads: Pick<BeadParts, "store" | "clock" | "held">;
  elapsedMs: () => number;
}

/** Gives a function that reads the beads which the scheduler may start. Claims that a crash left are mended first. */
export function startableBeadsReader({ runs, beads, elapsedMs }: Parts): () => Promise<Bead[]> {
  return cachedWhileUnchanged({
    stampNow: () => beads.store.changes,
    read: async () => {
      await reclaimAbandoned(runs);
      await beads.store.refresh();
      return listStartable(beads);
    },
    elapsedMs,
  });
}
