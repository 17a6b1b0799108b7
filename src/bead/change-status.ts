import { beadStatusOf, type Bead } from "../contract/bead.ts";

/**
 * The bead in another status, with the fields that go with it: when work began, when and why (`reason`) it was closed. The
 * very same object when it is so already. `now` is in ISO 8601.
 */
export function withStatus(bead: Bead, status: string, { now, reason }: { now: string; reason?: string }): Bead {
  if (beadStatusOf(bead) === status) {
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
