import { statusOf, type Bead } from "../contract/bead.ts";

interface StatusChange {
  /** ISO 8601. */
  now: string;
  /** Why it was closed. */
  reason?: string;
}

/**
 * The bead in another status, with the fields that go with it: when work began, when and why it was closed. The very
 * same object when it is so already.
 */
export function withStatus(bead: Bead, status: string, { now, reason }: StatusChange): Bead {
  if (statusOf(bead) === status) {
    const isSame = status !== "closed" || reason === undefined || reason === bead.close_reason;
    return isSame ? bead : { ...bead, close_reason: reason, updated_at: now };
  }
  const changed: Bead = { ...bead, status, updated_at: now };
  if (status === "in_progress" && bead.started_at === undefined) changed.started_at = now;
  if (status === "closed") {
    changed.closed_at = now;
    if (reason !== undefined) changed.close_reason = reason;
  } else {
    delete changed.closed_at;
    delete changed.close_reason;
  }
  return changed;
}
