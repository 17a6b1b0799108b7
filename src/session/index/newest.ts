import type { SessionRow } from "../../contract/session-row.ts";
import { compareIds } from "./entry.ts";
import { instantMs } from "./instant.ts";

interface Dated {
  row: SessionRow;
  startedMs: number;
}

/** Keeps the newest rows of many, never much more than the limit at a time. */
export class NewestRows {
  readonly #limit: number;
  #kept: Dated[] = [];
  /** Whether they are in order, and no more than the limit. */
  #isTrim = true;

  constructor(limit: number) {
    this.#limit = limit;
  }

  add(row: SessionRow): void {
    this.#kept.push({ row, startedMs: instantMs(row.started) });
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
    return this.#kept.map((dated) => dated.row);
  }

  #trim(): void {
    if (this.#isTrim) return;
    this.#isTrim = true;
    this.#kept.sort(newestFirst);
    this.#kept.splice(this.#limit);
  }
}

function newestFirst(a: Dated, b: Dated): number {
  return b.startedMs - a.startedMs || compareIds(b.row.session_id, a.row.session_id);
}
