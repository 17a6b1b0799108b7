import type { Bead } from "../../contract/bead.ts";
import { ClewError } from "../../contract/errors.ts";
import type { RefusedItem } from "../../contract/api/inbox.ts";
import { isUnfinished } from "../../bead/readiness.ts";

/** A bead that the scheduler could not start, and why. */
export interface RefusedBead {
  bead: string;
  code: string;
  message: string;
  hint: string;
  /** ISO 8601: since when for this very reason. */
  at: string;
}

/** What was refused to the scheduler, for the inbox: one for each bead, until a run of it begins or it is not ready any more. */
export interface RefusedBeads {
  all(): RefusedBead[];
  /** Keeps the reason, redacted and synced. Nothing is kept of a bead whose very id is a secret. */
  put(refused: Omit<RefusedBead, "at">): Promise<void>;
  drop(beadId: string): void;
}

/** A reason that a person has to do something about; undefined when it goes by itself. */
export function refusalReason(error: unknown): Pick<RefusedBead, "code" | "message" | "hint"> | undefined {
  if (error instanceof ClewError) {
    const { code, message, hint } = error;
    return code === "locked" ? undefined : { code, message, hint };
  }
  const message = `unexpected: ${error instanceof Error ? error.message : String(error)}`;
  return { code: "internal", message, hint: "CLEW_DEBUG=1 clew run shows where" };
}

/** Those that still wait: not beads that were closed meanwhile, or are gone. */
export function refusedItems(refused: RefusedBead[], find: (beadId: string) => Bead | undefined): RefusedItem[] {
  const groups = new Map<string, RefusedBead[]>();
  for (const each of refused.filter((one) => isWaiting(one, find))) {
    const cause = `${each.code} ${each.message}`;
    groups.set(cause, [...(groups.get(cause) ?? []), each]);
  }
  return [...groups.values()].map((group) => itemOf(group));
}

/** One cause is one thing to mend, however many beads wait for it. */
function itemOf(group: RefusedBead[]): RefusedItem {
  const [{ bead, message, hint }] = group as [RefusedBead];
  const beads = group.map((each) => each.bead);
  const who = beads.length === 1 ? bead : `${beads.length} beads`;
  const names = beads.length === 1 ? [] : [beads.join(", ")];
  const again = `Mend it; the daemon tries again, and so does clew run ${bead}`;
  return {
    id: `refused:${bead}`,
    kind: "decision_needed",
    text: [`${who} cannot be started: ${message}`, ...names, hint, again].join("\n"),
    bead,
    ...(beads.length > 1 && { beads }),
  };
}

/** A change of the bead since then may have mended it; if not, the daemon tells again. */
function isWaiting({ bead: beadId, at }: RefusedBead, find: (beadId: string) => Bead | undefined): boolean {
  try {
    const bead = find(beadId);
    if (bead === undefined || !isUnfinished(bead)) return false;
    return !(Date.parse(String(bead["updated_at"])) > Date.parse(at));
  } catch (error) {
    // Its line is damaged, which may be the very reason.
    if (error instanceof ClewError) return true;
    throw error;
  }
}
