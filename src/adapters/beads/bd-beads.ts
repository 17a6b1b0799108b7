import type { BeadPlace } from "../../app/bead-port.ts";
import { beadIdPattern } from "../../bead/bead-id.ts";
import { tombstone, type Bead } from "../../contract/bead.ts";
import { ClewError } from "../../contract/errors.ts";
import type { Disk } from "../files/disk.ts";
import type { Locks } from "../files/lock.ts";
import { changeCalls, createArguments } from "./bd-arguments.ts";
import type { Bd } from "./bd-program.ts";
import { knownIn, unknownBead } from "./bead-files.ts";
import { beadsIn, findLine } from "./bead-lines.ts";
import { issuesFile, issuesFileAt } from "./issues-file.ts";

interface BdParts {
  disk: Disk;
  root: string;
  locks: () => Promise<Locks>;
  bd: Bd;
}

/**
 * Beads that belong to a database of `bd`: read from the file, which `bd export` brings up to date around each change, and
 * written by `bd` alone.
 */
export function bdBeads({ disk, root, locks, bd }: BdParts): BeadPlace {
  const file = issuesFileAt(disk, root);
  const exclusively = async <T>(work: () => Promise<T>): Promise<T> => (await locks()).with("beads", work);
  const refresh = (): Promise<string> => bd(["export", `--output=${file.path()}`]);
  return {
    ...issuesFile(disk, root),
    all: () => beadsIn(file.read()),
    change: (id, change) =>
      exclusively(async () => {
        await refresh();
        const bytes = file.read();
        const before = findLine(bytes, id)?.bead;
        if (!before || before.status === tombstone) throw unknownBead(id);
        const after = change(before, knownIn(bytes, root));
        if (after === before) return before;
        for (const call of changeCalls(before, after)) await bd(call);
        await refresh();
        return findLine(file.read(), id)?.bead ?? after;
      }),
    add: (make) =>
      exclusively(async () => {
        const wanted = make(knownIn(file.read(), root));
        const id = createdId(await bd(createArguments(wanted)));
        await refresh();
        return findLine(file.read(), id)?.bead ?? { ...wanted, id };
      }),
    async put() {
      throw new ClewError(
        "not_available",
        "these beads belong to a bd database, which clew cannot import into",
        "bd import does it: bd import --help",
      );
    },
  };
}

/** `bd` gives ids itself, and prints the bead that it made. */
function createdId(printed: string): string {
  const id = readCreated(printed)?.id;
  if (typeof id === "string" && beadIdPattern.test(id)) return id;
  throw new ClewError(
    "not_available",
    "bd create did not print the bead that it made",
    "bd list shows whether it is there; bd doctor tells more",
  );
}

function readCreated(printed: string): Partial<Bead> | undefined {
  try {
    const value = JSON.parse(printed) as Partial<Bead> | Partial<Bead>[] | null;
    return (Array.isArray(value) ? value[0] : value) ?? undefined;
  } catch {
    return undefined;
  }
}
