import { idsCalled, idsNamed } from "../bead/find-by-name.ts";
import { ClewError } from "../contract/errors.ts";
import { nearest } from "../contract/suggest.ts";
import type { BeadReader } from "./bead-port.ts";

/**
 * The id that a person means: in full, or a beginning with or without the prefix that fits only one. A deleted bead is
 * named as such, and never taken for the beginning of another.
 */
export function resolveBead(store: BeadReader, name: string): string {
  if (name === "") throw new ClewError("invalid_input", "the name of the bead is empty", "clew bead list shows names");
  if (store.find(name)) return name;
  const ids = store.all().beads.map(({ id }) => id);
  const found = idsNamed(name, ids);
  if (!found.some((id) => idsCalled(name, [id]).length > 0)) refuseDeleted(store, name, new Set(ids));
  if (found.length === 1) return found[0]!;
  if (found.length === 0) throw unknownBead(name, ids, store.place);
  throw ambiguousBead(name, found);
}

export function ambiguousBead(name: string, found: readonly string[]): ClewError {
  return new ClewError(
    "ambiguous_bead",
    `${name} may be ${found.length} beads`,
    `one of ${found.toSorted().slice(0, 5).join(", ")}${found.length > 5 ? " …" : ""}`,
  );
}

function refuseDeleted(store: BeadReader, name: string, live: ReadonlySet<string>): void {
  const gone = idsCalled(name, store.ids()).find((id) => !live.has(id));
  // Looking for it throws when its line is only damaged.
  if (gone === undefined || store.find(gone)) return;
  throw new ClewError("unknown_bead", `${gone} was deleted`, "clew bead list shows what there is");
}

export function unknownBead(name: string, ids: string[], place: string): ClewError {
  if (ids.length === 0) {
    return new ClewError(
      "unknown_bead",
      `there are no beads in ${place}`,
      'make one: clew bead create "What is to be done"',
    );
  }
  const meant = nearest(name, ids);
  return new ClewError(
    "unknown_bead",
    `there is no bead ${name} in ${place}`,
    meant === undefined ? "clew bead list shows what there is" : `did you mean ${meant}?`,
  );
}
