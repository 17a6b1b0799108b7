import { idsNamed } from "../bead/find-by-name.ts";
import { ClewError } from "../contract/errors.ts";
import { nearest } from "../contract/suggest.ts";
import type { BeadStore } from "./bead-port.ts";

/** The id that a person means: in full, or a beginning with or without the prefix that fits only one. */
export function resolveBead(store: BeadStore, name: string): string {
  if (store.find(name)) return name;
  const ids = store.all().beads.map(({ id }) => id);
  const found = idsNamed(name, ids);
  if (found.length === 1) return found[0]!;
  if (found.length === 0) throw unknownBead(name, ids);
  throw new ClewError(
    "ambiguous_bead",
    `${name} may be ${found.length} beads`,
    `one of ${found.slice(0, 5).join(", ")}${found.length > 5 ? " …" : ""}`,
  );
}

export function unknownBead(name: string, ids: string[]): ClewError {
  if (ids.length === 0) {
    return new ClewError(
      "unknown_bead",
      "there are no beads in .beads/issues.jsonl",
      'make one: clew bead create "What is to be done"',
    );
  }
  const meant = nearest(name, ids);
  return new ClewError(
    "unknown_bead",
    `there is no bead ${name} in .beads/issues.jsonl`,
    meant === undefined ? "clew bead list shows what there is" : `did you mean ${meant}?`,
  );
}
