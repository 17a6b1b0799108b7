import { ClewError } from "../../contract/errors.ts";
import type { SessionRecords } from "../session/ports.ts";

/** Whether a work session still holds its beads: it is at work, or can be resumed. */
export function isWorkOpen(records: Pick<SessionRecords, "glance" | "exists">, session: string): boolean {
  const status = records.glance(session)?.status;
  if (status === undefined) return records.exists(session);
  return status === "active" || status === "paused" || status === "failed";
}

export function heldByWork(bead: string, session: string): ClewError {
  return new ClewError(
    "not_possible_now",
    `the work session ${session} holds ${bead}`,
    `clew session resume ${session} goes on with it; clew session end ${session} --status abandoned gives it up`,
  );
}
