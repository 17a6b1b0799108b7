import { beadStatusOf } from "../../contract/bead.ts";
import type { RunSnapshot } from "../../contract/run-snapshot.ts";
import type { RunStatus, VisibleStatus } from "../../contract/run.ts";
import { withStatus } from "../../bead/change-status.ts";
import type { UnreadableBead } from "../../contract/api/bead-shapes.ts";
import type { BeadStore } from "../bead/ports.ts";

/** What a bead is while its run is so. */
const beadStatus: Record<RunStatus, string> = {
  running: "in_progress",
  pending_merge: "in_progress",
  blocked: "blocked",
  failed: "blocked",
  completed: "closed",
  cancelled: "open",
};

/** The status that a run gives its bead. */
export function statusUnder(run: VisibleStatus): string {
  return beadStatus[run === "interrupted" ? "running" : run];
}

/** What a run may change; anything else a person has said meanwhile, and it stays. */
const followedStatuses = ["open", "in_progress", "blocked", "hooked"];

interface Parts {
  store: BeadStore;
  statusOfRun: (runId: string) => RunStatus;
  /** The run that holds the bead now. */
  holder: (beadId: string) => string | undefined;
  nowMs: () => number;
  warn: (message: string) => void;
}

/** Beads follow their runs. The run is the truth: what a crash kept from being written is written at the next look. */
export class RunBeads {
  readonly #parts: Parts;
  readonly #warned = new Set<string>();

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  isOpen(beadId: string): boolean {
    const bead = this.#parts.store.find(beadId);
    return bead !== undefined && beadStatusOf(bead) === "open";
  }

  /**
   * Before a run begins. Throws when another has the bead, where more than its run's claim says so. What has to be given back
   * when no run comes of it is told to `note`.
   */
  take(beadId: string, note: (mark: string) => void): Promise<void> {
    return this.#parts.store.claim(beadId, note);
  }

  /** No run came of it. */
  giveBack(beadId: string, mark: string): Promise<"given" | "kept" | "unclear"> {
    return this.#parts.store.giveBack(beadId, mark);
  }

  /** How a bead disagrees with its run; undefined when it does not, or a person has said otherwise. */
  disagreement({ bead_id, status, ended }: RunSnapshot): { is: string; should: string } | undefined {
    const bead = this.#parts.store.find(bead_id);
    const is = bead && beadStatusOf(bead);
    const should = beadStatus[status];
    if (is === undefined || is === should || !followedStatuses.includes(is)) return undefined;
    // What was written after the run's end is a person's; an older text may have come back with a stash or a checkout.
    const isLater = ended !== null && Date.parse(String(bead?.["updated_at"])) > Date.parse(ended);
    return isLater || (ended !== null && is === "open") ? undefined : { is, should };
  }

  /** Lines of the beads' file that cannot be read. */
  unreadable(): UnreadableBead[] {
    return this.#parts.store.all().unreadable;
  }

  /**
   * Brings the bead in line with its run, as that stands when the bead is written: a late caller changes nothing any
   * more. Throws when the beads cannot be written.
   */
  async follow({ id, bead_id }: Pick<RunSnapshot, "id" | "bead_id">): Promise<void> {
    const { store, nowMs, statusOfRun, holder } = this.#parts;
    if (!store.find(bead_id)) {
      this.#warn(`bead ${bead_id} is not there any more: nothing says what run ${id} made of it`);
      return;
    }
    await store.change(bead_id, (bead) => {
      const isAnothers = (holder(bead_id) ?? id) !== id;
      if (isAnothers || !followedStatuses.includes(beadStatusOf(bead))) return bead;
      const now = new Date(nowMs()).toISOString();
      return withStatus(bead, beadStatus[statusOfRun(id)], { now, reason: `completed by run ${id}` });
    });
  }

  /** The same for a run that is under way, which does not stop for this. Says whether it could be done. */
  async followIfPossible(run: Pick<RunSnapshot, "id" | "bead_id">): Promise<boolean> {
    try {
      await this.follow(run);
      return true;
    } catch (error) {
      this.#warn(`bead ${run.bead_id} does not follow run ${run.id}: ${(error as Error).message}`);
      return false;
    }
  }

  /** Once is enough: it is tried again and again. */
  #warn(message: string): void {
    if (!this.#warned.has(message)) this.#parts.warn(`${message}; clew doctor --repair brings it in line`);
    this.#warned.add(message);
  }
}
