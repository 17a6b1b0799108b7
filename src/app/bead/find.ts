import { idsWithName, idsMatching } from "../../bead/find-by-name.ts";
import { deletedAt } from "../../bead/tombstone.ts";
import type { Bead } from "../../contract/bead.ts";
import { ClewError } from "../../contract/errors.ts";
import { nearest } from "../../text/nearest.ts";
import type { BeadReader } from "./ports.ts";

/**
 * The id that a person means: in full, or a beginning with or without the prefix that fits only one. A deleted bead is
 * named as such, and never taken for the beginning of another.
 */
export function resolveBead(store: BeadReader, name: string): string {
  if (name === "") throw new ClewError("invalid_input", "the name of the bead is empty", "clew bead list shows names");
  if (store.find(name)) return name;
  const ids = store.all().beads.map(({ id }) => id);
  const live = new Set(ids);
  const called = idsWithName(name, store.ids());
  if (called.length > 0 && !called.some((id) => live.has(id))) refuseGone(store, called[0]!);
  const matches = idsMatching(name, ids);
  if (matches.length === 1) return matches[0]!;
  if (matches.length === 0) throw unknownBead(name, ids, store.place);
  throw ambiguousBead(name, matches);
}

/** The bead that is named was there once. */
class DeletedBead extends ClewError {
  constructor(bead: Bead) {
    const at = deletedAt(bead);
    const when = at === undefined ? "" : ` at ${at.slice(0, 16).replace("T", " ")} UTC`;
    super("unknown_bead", `${bead.id} was deleted${when}`, "clew bead list shows what there is");
  }
}

export function ambiguousBead(name: string, matches: readonly string[]): ClewError {
  return new ClewError(
    "ambiguous_bead",
    `${name} may be ${matches.length} beads`,
    `one of ${matches.toSorted().slice(0, 5).join(", ")}${matches.length > 5 ? " …" : ""}`,
  );
}

/** No bead has this id, though a line does. */
function refuseGone(store: BeadReader, id: string): void {
  const deleted = store.deleted().get(id);
  if (deleted) throw new DeletedBead(deleted);
  // Looking for it throws when its line is only damaged.
  store.find(id);
}

export function unknownBead(name: string, ids: string[], place: string): ClewError {
  if (ids.length === 0) {
    return new ClewError(
      "unknown_bead",
      `there are no beads in ${place}`,
      'make one: clew bead create "What is to be done"',
    );
  }
  const suggestion = nearest(name, ids);
  return new ClewError(
    "unknown_bead",
    `there is no bead ${name} in ${place}`,
    suggestion === undefined ? "clew bead list shows what there is" : `did you mean ${suggestion}?`,
  );
}

/** The id of the bead with this name; undefined when there is none, because the name may be a run's. Throws when it was deleted. */
export function findBeadId(beads: BeadReader, name: string): string | undefined {
  try {
    return resolveBead(beads, name);
  } catch (error) {
    if (error instanceof ClewError && !(error instanceof DeletedBead)) return undefined;
    throw error;
  }
}

/** The same where the name can only be a bead's: throws also when several beads fit. */
export function findClearBeadId(beads: BeadReader, name: string): string | undefined {
  try {
    return resolveBead(beads, name);
  } catch (error) {
    if (error instanceof DeletedBead || !(error instanceof ClewError) || error.code === "ambiguous_bead") throw error;
    return undefined;
  }
}
