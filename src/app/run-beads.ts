import { statusOf } from "../contract/bead.ts";
import type { RunSnapshot } from "../contract/run-journal.ts";
import type { RunStatus } from "../contract/run.ts";
import { withStatus } from "../bead/change-status.ts";
import type { BeadStore, UnreadableBead } from "./bead-port.ts";

/** What a bead is while its run is so. */
const beadStatus: Record<RunStatus, string> = {
  running: "in_progress",
  pending_merge: "in_progress",
  blocked: "blocked",
  failed: "blocked",
  completed: "closed",
  cancelled: "open",
};

/** What a run may change; anything else a person has said meanwhile, and it stays. */
const followed = ["open", "in_progress", "blocked", "hooked"];

interface Parts {
  store: BeadStore;
  nowMs: () => number;
  warn: (message: string) => void;
}

/** Beads follow their runs. The run is the truth: what a crash kept from being written is written at the next look. */
export class RunBeads {
  readonly #parts: Parts;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  refuseUnwritable(): Promise<void> {
    return this.#parts.store.refuseUnwritable();
  }

  isOpen(beadId: string): boolean {
    const bead = this.#parts.store.find(beadId);
    return bead !== undefined && statusOf(bead) === "open";
  }

  /** How a bead disagrees with its run; undefined when it does not, or a person has said otherwise. */
  missed({ bead_id }: Pick<RunSnapshot, "bead_id">, run: RunStatus): { is: string; should: string } | undefined {
    const bead = this.#parts.store.find(bead_id);
    const is = bead && statusOf(bead);
    const should = beadStatus[run];
    return is !== undefined && is !== should && followed.includes(is) ? { is, should } : undefined;
  }

  /** Lines of the beads' file that nobody can read. */
  unreadable(): UnreadableBead[] {
    return this.#parts.store.all().unreadable;
  }

  /** Throws when the beads cannot be written. */
  async follow({ id, bead_id }: Pick<RunSnapshot, "id" | "bead_id">, run: RunStatus): Promise<void> {
    const { store, nowMs } = this.#parts;
    const status = beadStatus[run];
    const bead = store.find(bead_id);
    if (!bead || statusOf(bead) === status) return;
    await store.change(bead_id, (now) => {
      if (!followed.includes(statusOf(now))) return now;
      return withStatus(now, status, { now: new Date(nowMs()).toISOString(), reason: `completed by run ${id}` });
    });
  }

  /** The same for a run that is under way, which does not stop for this. */
  async followIfPossible(run: Pick<RunSnapshot, "id" | "bead_id">, status: RunStatus): Promise<void> {
    try {
      await this.follow(run, status);
    } catch (error) {
      this.#parts.warn(`bead ${run.bead_id} could not be set to ${beadStatus[status]}: ${(error as Error).message}`);
    }
  }
}
