import type { Bead } from "../../contract/bead.ts";
import { listStartable } from "../bead/beads.ts";
import type { BeadParts } from "../bead/parts.ts";
import { reclaimAbandoned, type ClaimParts } from "../run/claimed-beads.ts";

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

/** Deferred beads become ready without a change of anything. */
const longestKeptMs = 15_000;

interface Cached<T> {
  /** Another text when there is something new to read. */
  stampNow: () => string;
  read: () => Promise<T>;
  elapsedMs: () => number;
}

/** Ten thousand beads take a while to read, and mostly nothing has changed since the look before. */
export function cachedWhileUnchanged<T>({ stampNow, read, elapsedMs }: Cached<T>): () => Promise<T> {
  let cached: { stamp: string; atMs: number; value: T } | undefined;
  return async () => {
    const atMs = elapsedMs();
    const stamp = stampNow();
    if (cached?.stamp === stamp && atMs - cached.atMs <= longestKeptMs) return cached.value;
    // Nothing is kept of what failed: it is tried again at the next look.
    cached = undefined;
    const value = await read();
    cached = { stamp, atMs, value };
    return value;
  };
}
