import type { RowPlace, SessionRow } from "../../contract/session-row.ts";
import { newestRowFirst, rowPlace } from "./filter.ts";

interface PlacedRow extends RowPlace {
  row: SessionRow;
}

/** Keeps the newest rows of many, never much more than the limit at a time. */
export class NewestRows {
  readonly #limit: number;
  #rows: PlacedRow[] = [];
  /** Whether they are in order, and no more than the limit. */
  #isTrim = true;

  constructor(limit: number) {
    this.#limit = limit;
  }

  add(row: SessionRow): void {
    this.#rows.push({ row, ...rowPlace(row) });
    this.#isTrim = false;
    if (this.#rows.length > 2 * this.#limit + 256) this.#trim();
  }

  /** Whether a row that started then could still be among the newest. */
  hasRoomFor(startedMs: number): boolean {
    if (this.#rows.length < this.#limit) return true;
    this.#trim();
    const oldest = this.#rows.at(-1);
    return oldest !== undefined && startedMs >= oldest.startedMs;
  }

  rows(): SessionRow[] {
    this.#trim();
    return this.#rows.map(({ row }) => row);
  }

  #trim(): void {
    if (this.#isTrim) return;
    this.#isTrim = true;
    this.#rows.sort(newestRowFirst);
    this.#rows.splice(this.#limit);
  }
}
