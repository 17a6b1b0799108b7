import type { RowPlace, SessionRow } from "../../contract/session-row.ts";
import { newestFirst, placeOf } from "./filter.ts";

interface Placed extends RowPlace {
  row: SessionRow;
}

/** Keeps the newest rows of many, never much more than the limit at a time. */
export class NewestRows {
  readonly #limit: number;
  #kept: Placed[] = [];
  /** Whether they are in order, and no more than the limit. */
  #isTrim = true;

  constructor(limit: number) {
    this.#limit = limit;
  }

  add(row: SessionRow): void {
    this.#kept.push({ row, ...placeOf(row) });
    this.#isTrim = false;
    if (this.#kept.length > 2 * this.#limit + 256) this.#trim();
  }

  /** Whether a row that started then could still be among the newest. */
  hasRoomFor(startedMs: number): boolean {
    if (this.#kept.length < this.#limit) return true;
    this.#trim();
    const oldest = this.#kept.at(-1);
    return oldest !== undefined && startedMs >= oldest.startedMs;
  }

  rows(): SessionRow[] {
    this.#trim();
    return this.#kept.map(({ row }) => row);
  }

  #trim(): void {
    if (this.#isTrim) return;
    this.#isTrim = true;
    this.#kept.sort(newestFirst);
    this.#kept.splice(this.#limit);
  }
}
