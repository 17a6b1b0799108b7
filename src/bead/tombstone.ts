import { tombstone, beadTypeOf, type Bead } from "../contract/bead.ts";

interface Deletion {
  /** ISO 8601. */
  now: string;
  by: string | undefined;
  reason: string | undefined;
}

/** When a bead was deleted, in ISO 8601; undefined when its tombstone does not tell. */
export function deletedAt({ deleted_at }: Bead): string | undefined {
  const ms = typeof deleted_at === "string" ? Date.parse(deleted_at) : Number.NaN;
  return Number.isNaN(ms) ? undefined : new Date(ms).toISOString();
}

/**
 * A deleted bead, as the beads format has it: all fields stay, so that a person can bring it back; when, by whom and why it
 * was deleted come with it.
 */
export function asTombstone(bead: Bead, { now, by, reason }: Deletion): Bead {
  return {
    ...bead,
    status: tombstone,
    updated_at: now,
    deleted_at: now,
    ...(by !== undefined && { deleted_by: by }),
    ...(reason !== undefined && { delete_reason: reason }),
    original_type: beadTypeOf(bead),
  };
}
