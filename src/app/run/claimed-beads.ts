import { ClewError } from "../../contract/errors.ts";
import type { VisibleStatus } from "../../contract/run.ts";
import type { RunBeads } from "./bead-of-run.ts";
import type { Claims, RunStore } from "./ports.ts";
import { isOver, type RunReading } from "./read.ts";

export interface UnfinishedRun {
  id: string;
  status: VisibleStatus;
}

interface Parts {
  store: RunStore;
  claims: Claims;
  beads: RunBeads;
  reading: RunReading;
}

/** Which run works on a bead, also when its claim was lost or never came to its end. */
export class ClaimedBeads {
  readonly #parts: Parts;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** The run of a bead that is not over. */
  unfinishedRunOf(beadId: string): UnfinishedRun | undefined {
    const { claims, store, reading } = this.#parts;
    const held = claims.holder(beadId);
    const id = held !== undefined && this.#isOpenFor(held, beadId) ? held : this.openRunOf(beadId);
    return id === undefined ? undefined : { id, status: reading.shown(id, store.state(id).status) };
  }

  /** The same by a look through all runs, whatever the claim says. */
  openRunOf(beadId: string): string | undefined {
    return this.#parts.store.openIds().find((id) => this.#isOpenFor(id, beadId));
  }

  #isOpenFor(id: string, beadId: string): boolean {
    try {
      const state = this.#parts.store.state(id);
      return state.bead_id === beadId && !isOver(state);
    } catch {
      return false;
    }
  }

  /** A claim that a crash left without its run gets that run, or goes; its bead is given back where it was taken. */
  async reclaim(beadId: string): Promise<string | undefined> {
    const { claims, beads } = this.#parts;
    return claims.mend(beadId, {
      find: () => this.openRunOf(beadId),
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

  /** Whoever takes up beads by itself begins with those that a crash left claimed. What cannot be mended now waits. */
  async reclaimLeft(): Promise<void> {
    const left = this.#parts.claims.all().filter(({ run, isDriven }) => run === null && !isDriven);
    for (const { bead } of left) await this.reclaim(bead).catch(() => undefined);
  }
}
