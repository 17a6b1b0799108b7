import { ClewError } from "../../contract/errors.ts";
import type { SessionIndex } from "./ports.ts";
import type { SearchProjection } from "../search/projection.ts";

interface Parts {
  index: SessionIndex;
  search: SearchProjection;
  /** One writer of the projections at a time. */
  withLock: <T>(work: () => T | Promise<T>) => Promise<T>;
  /** Tells a person what need not stop the command. */
  warn: (message: string) => void;
}

/** Where index and search are kept: on disk, or, for a reader where nothing can be written, in memory for this process alone. */
export class ProjectionPlace {
  readonly #parts: Parts;
  isInMemory = false;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** Follows the files for a reader, which is answered also where there is no room, or no right, to write. */
  async orInMemory<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      const isFutile = error instanceof ClewError && (error.code === "disk_full" || error.code === "no_permission");
      if (!isFutile || this.isInMemory) throw error;
      this.#parts.warn(`${error.message}; the index was made in memory for this answer`);
      this.isInMemory = true;
      this.#parts.index.keepInMemory();
      this.#parts.search.keepInMemory();
      return work();
    }
  }

  /** What is in memory needs no lock. */
  async withLock<T>(work: () => T | Promise<T>): Promise<T> {
    return this.isInMemory ? work() : this.#parts.withLock(work);
  }
}
