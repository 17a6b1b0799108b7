import { ClewError } from "../../contract/errors.ts";
import { unreadableCodes } from "./indexed-session.ts";
import { pauseRecord, type Sessions } from "./lifecycle.ts";
import type { SessionOwners } from "./owner.ts";
import type { Clock, RecordGlance, SessionRecords } from "./ports.ts";
import type { Projections } from "./projections.ts";

interface Parts {
  records: SessionRecords;
  projections: Pick<Projections, "takeIn" | "reread">;
  sessions: Pick<Sessions, "change">;
  owners: SessionOwners;
  clock: Clock;
  /** An active session without entries for this long is paused; 0 never. */
  idleTimeoutMs: number;
}

/** Sessions that are active, or that the index has not taken in. */
export class OpenSessions {
  readonly #parts: Parts;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /**
   * Before anybody reads: the index takes in what was logged to open sessions, and idle ones are paused. Nothing else is written to
   * a session, so that looking is never in git's way: a file that lacks what was logged is left as it is, and read with its copy.
   */
  async bringUpToDate(): Promise<void> {
    const { records, owners, projections } = this.#parts;
    for (const id of records.openIds()) {
      const upkeep = (await (await owners.of(id))?.bringUpToDate(id)) ?? "none";
      if (upkeep === "settled") continue;
      try {
        // Without a copy, nothing was logged on this machine: there is nothing to take in.
        if (records.hasCopy(id)) await projections.takeIn(id);
        else if (!records.exists(id)) await records.closeIfStill(id, records.fingerprint(id));
        // An owner may work for long without a word.
        if (upkeep === "none" && records.hasCopy(id)) await this.#pauseIfIdle(id);
      } catch (error) {
        if (!(error instanceof ClewError)) throw error;
        // Where nothing can be written, what was saved last can still be read.
        if (["disk_full", "no_permission", "locked"].includes(error.code)) continue;
        // It left with its branch, which holds all of it.
        if (error.code === "unknown_session") continue;
        // A session that cannot be read is told of where it is listed; it must not keep the others from being read.
        if (!unreadableCodes.has(error.code)) throw error;
        await projections.reread([id]);
      }
    }
  }

  /** Not while its file lacks entries: then git is at work on it, or a person. */
  async #pauseIfIdle(id: string): Promise<void> {
    const { records, sessions, clock, idleTimeoutMs } = this.#parts;
    const isIdle = ({ status, activeAtMs }: RecordGlance): boolean =>
      status === "active" && idleTimeoutMs > 0 && clock.now() - activeAtMs > idleTimeoutMs;
    const glance = records.glance(id);
    if (!glance || !isIdle(glance) || !records.isWhole(id)) return;
    await sessions.change(id, async (record) => {
      if (isIdle(record.glance)) await pauseRecord(record);
      return record.save();
    });
  }
}
