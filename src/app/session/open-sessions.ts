import { ClewError } from "../../contract/errors.ts";
import { unreadableCodes } from "./indexed-session.ts";
import { changeSession } from "./change.ts";
import { pauseRecord } from "./lifecycle.ts";
import type { SessionParts } from "./parts.ts";
import type { RecordGlance } from "./ports.ts";

/**
 * Called before sessions are read: the index takes in what was logged to open sessions, and idle ones are paused. Nothing else
 * is written to a session, so that a reader is never in git's way: a file that lacks entries is left as it is, and read with
 * its copy.
 */
export async function bringUpToDate(parts: SessionParts): Promise<void> {
  const { records, owners, projections } = parts;
  await parts.takeInHooks?.();
  for (const id of records.openIds()) {
    const upkeep = (await (await owners.of(id))?.bringUpToDate(id)) ?? "none";
    if (upkeep === "settled") continue;
    try {
      // Without a copy, nothing was logged on this machine: there is nothing to take in.
      if (records.hasCopy(id)) await projections.takeIn(id);
      else if (!records.exists(id)) await records.closeIfStill(id, records.fingerprint(id));
      // An owner may work for long without a word.
      if (upkeep === "none" && records.hasCopy(id)) await pauseIfIdle(parts, id);
    } catch (error) {
      if (!(error instanceof ClewError)) throw error;
      // Where nothing can be written, what was saved last can still be read.
      if (["disk_full", "no_permission", "locked"].includes(error.code)) continue;
      // It left with its branch, which holds all of it.
      if (error.code === "unknown_session") continue;
      // A list names a session that cannot be read; it must not keep the others from being read.
      if (!unreadableCodes.has(error.code)) throw error;
      await projections.reread([id]);
    }
  }
}

/** Not while its file lacks entries: then git or a person is changing it. */
async function pauseIfIdle(parts: SessionParts, id: string): Promise<void> {
  const { records, clock, settings } = parts;
  const { idle_timeout: idleTimeoutMs } = settings;
  const isIdle = ({ status, activeAtMs }: RecordGlance): boolean =>
    status === "active" && idleTimeoutMs > 0 && clock.now() - activeAtMs > idleTimeoutMs;
  const glance = records.glance(id);
  if (!glance || !isIdle(glance) || !records.isWhole(id)) return;
  await changeSession(parts, id, async (record) => {
    if (isIdle(record.glance)) await pauseRecord(record, clock.now());
    return record.save();
  });
}
