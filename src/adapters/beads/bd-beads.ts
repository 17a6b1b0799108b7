import type { BeadPlace } from "../../app/bead-port.ts";
import { beadIdPattern } from "../../bead/bead-id.ts";
import { tombstone, type Bead } from "../../contract/bead.ts";
import { ClewError } from "../../contract/errors.ts";
import type { Disk } from "../files/disk.ts";
import type { Locks } from "../files/lock.ts";
import { changeCalls, createArguments } from "./bd-arguments.ts";
import { unchangedFields } from "./bd-check.ts";
import type { Bd } from "./bd-program.ts";
import { knownIn, unknownBead } from "./bead-files.ts";
import { beadsIn, findLine, textsIn } from "./bead-lines.ts";
import { beadReader, issuesFileAt } from "./issues-file.ts";

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
    ...beadReader(file),
    all: () => beadsIn(file.read()),
    lines: () => textsIn(file.read()),
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
        return exported(findLine(file.read(), id)?.bead, before, after);
      }),
    add: (make) =>
      exclusively(async () => {
        const wanted = make(knownIn(file.read(), root));
        const id = createdId(await bd(createArguments(wanted)));
        await refresh();
        return exported(findLine(file.read(), id)?.bead, { id, title: "" }, { ...wanted, id });
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

/** The bead as `bd` has it now. Throws when that is not what it was told: it may have said yes and done nothing. */
function exported(now: Bead | undefined, before: Bead, wanted: Bead): Bead {
  const wrong = now && unchangedFields(now, before, wanted);
  if (now && wrong?.length === 0) return now;
  throw new ClewError(
    "not_available",
    now
      ? `bd said that it changed ${wanted.id}, but after bd export it has another ${wrong!.join(", ")}`
      : `bd said that it wrote ${wanted.id}, but bd export does not have it`,
    `bd show ${wanted.id} tells what it has; bd doctor tells more`,
  );
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
