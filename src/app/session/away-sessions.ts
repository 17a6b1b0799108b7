import type { SessionRecords, Surroundings } from "./ports.ts";
import type { ProjectionPlace } from "./projection-place.ts";

interface Parts {
  records: SessionRecords;
  surroundings: Surroundings;
}

/** Sessions whose write-ahead copy is here and whose file may stand on another branch. */
export class AwaySessions {
  readonly #parts: Parts;
  readonly #place: Pick<ProjectionPlace, "isInMemory">;

  constructor(parts: Parts, place: Pick<ProjectionPlace, "isInMemory">) {
    this.#parts = parts;
    this.#place = place;
  }

  /** The name of the branches while sessions stand on others than the one that is checked out. */
  branchesName(): string | null {
    const { records, surroundings } = this.#parts;
    const here = new Set(records.ids());
    return records.copyIds().every((id) => here.has(id)) ? null : surroundings.branchesName();
  }

  /**
   * Sessions whose folder is gone although their copy is here: not deleted by `clew`, so they come back. Unless they
   * left with a branch that holds all of them: then they are there, and those that ended need no copy any more.
   */
  async lostSessions(here: Set<string>): Promise<string[]> {
    const { records, surroundings } = this.#parts;
    const lost: string[] = [];
    for (const id of records.copyIds()) {
      if (here.has(id)) continue;
      await this.dropCommittedCopy(id);
      if (records.hasCopy(id) && !surroundings.isElsewhere(id)) lost.push(id);
    }
    return lost;
  }

  async dropCommittedCopy(id: string): Promise<void> {
    const { records, surroundings } = this.#parts;
    if (!this.#place.isInMemory && records.hasCopy(id)) await surroundings.dropCommittedCopy(id);
  }
}
