import { basename, dirname } from "node:path";
import type { BeadPlace, KnownBeads } from "../../app/bead/ports.ts";
import { commonPrefix, safePrefix } from "../../bead/bead-id.ts";
import type { BeadLine } from "../../bead/read-import.ts";
import { lettersOf, spliceMembers } from "../../bead/splice-members.ts";
import { tombstone, type Bead } from "../../contract/bead.ts";
import { ClewError } from "../../contract/errors.ts";
import { retryOnChange } from "../files/retry-on-change.ts";
import { FileChanged, type Disk } from "../files/disk.ts";
import { limits } from "../files/limits.ts";
import type { Locks } from "../files/lock.ts";
import { readRegular } from "../files/regular-file.ts";
import { removeLeftovers } from "../files/remove-leftovers.ts";
import {
  appendedLines,
  beadsIn,
  damagedLine,
  eachLine,
  idsIn,
  readLine,
  replacedLines,
  textOf,
  textsIn,
  type Place,
} from "./bead-lines.ts";
import { beadReader, type IssuesFile } from "./issues-file.ts";
import { trimEndOf } from "../../text/trim.ts";
import { beadPaths } from "../layout.ts";

interface FileParts {
  disk: Disk;
  /** The folder that holds the file. */
  folder: string;
  file: IssuesFile;
  /** Of the repository in which that folder stands: whoever else writes there has the same. */
  locks: () => Promise<Locks>;
}

/** Beads in `.beads/issues.jsonl`: read anew under the lock, one line replaced, the file written aside and renamed. */
export function beadFiles({ disk, folder, file, locks }: FileParts): BeadPlace {
  // An editor knows no lock: when it saved meanwhile, its text is read and changed instead.
  const withLock = async <T>(work: () => T): Promise<T> =>
    (await locks()).with("beads", () => retryOnChange(file.shown, work));
  const write = (bytes: Uint8Array | Uint8Array[]): void => {
    const path = file.path();
    disk.makeFolder(dirname(path));
    removeLeftovers(disk, path);
    if (file.stamp() === undefined && disk.stamp(path)) throw new FileChanged(path);
    disk.replace(path, bytes, undefined, file.stamp());
  };
  const readToWrite = (): Buffer => {
    const bytes = file.read();
    refuseConflict(bytes, file.shown);
    return bytes;
  };
  const known = (bytes: Buffer): KnownBeads => knownIn(bytes, folder, file.shown);
  const place: BeadPlace = {
    ...beadReader(file),
    lines: () => textsIn(file.read()),
    change: (id, change) =>
      withLock(() => {
        const bytes = readToWrite();
        const placed = file.line(bytes, id);
        if (!placed || placed.bead.status === tombstone) throw unknownBead(id, file.shown);
        const after = change(placed.bead, known(bytes));
        if (after === placed.bead) return after;
        const text = spliceMembers(textOf(bytes, placed), placed.bead, after);
        write(replacedLines(bytes, [{ ...placed, text }]));
        return after;
      }),
    add: (make) =>
      withLock(() => {
        const bytes = readToWrite();
        const bead = make(known(bytes));
        write(appendedLines(bytes, [JSON.stringify(bead)]));
        return bead;
      }),
    remove: (id, bury) => place.change(id, bury),
    // The file says by its status that somebody works on a bead, and the run's own claim keeps others off.
    claim: async () => undefined,
    giveBack: async () => "kept",
    refresh: async () => undefined,
    put: (choose) =>
      withLock(() => {
        const bytes = readToWrite();
        const chosen = new Map(choose(known(bytes)).map((each) => [each.bead.id, each]));
        if (chosen.size > 0) write(withBeads(bytes, chosen, file.shown));
      }),
  };
  return place;
}

/** Whoever solves a conflict chooses between two states of the file: a change to one of them would be lost. */
export function refuseConflict(bytes: Buffer, file: string): void {
  const at = conflictIn(bytes);
  if (at === undefined) return;
  throw damagedLine(bytes, at, { file, reason: "a merge conflict that git left" });
}

/** Where a line begins with git's mark. */
function conflictIn(bytes: Buffer): number | undefined {
  // So short a text is looked for by its first letter, which is rare in JSON; a longer one takes ten times as long.
  const beginning = "<<<<<<";
  const mark = Buffer.from("<<<<<<< ");
  for (let at = bytes.indexOf(beginning); at >= 0; at = bytes.indexOf(beginning, at + 1)) {
    const isLineStart = at === 0 || bytes[at - 1] === 0x0a;
    if (isLineStart && bytes.subarray(at, at + mark.length).equals(mark)) return at;
  }
  return undefined;
}

function unknownBead(id: string, file: string): ClewError {
  return new ClewError("unknown_bead", `there is no bead ${id} in ${file}`, "clew bead list shows what there is");
}

/** Each over the last line of its id, or as a new line. Throws when that last line is damaged: it may hold more. */
function withBeads(bytes: Buffer, chosen: Map<string, BeadLine>, file: string): Uint8Array[] {
  const last = new Map<string, Place & { before: Bead | ClewError }>();
  for (const place of eachLine(bytes)) {
    const line = readLine(bytes, place);
    if (line.kind === "bead" && chosen.has(line.bead.id)) last.set(line.bead.id, { ...place, before: line.bead });
    if (line.kind === "damaged" && line.id !== undefined && chosen.has(line.id)) {
      last.set(line.id, { ...place, before: damagedLine(bytes, place.start, { file, reason: line.reason }) });
    }
  }
  const lines = [...last].map(([id, { before, ...place }]) => {
    if (before instanceof ClewError) throw before;
    const { bead, line } = chosen.get(id)!;
    return { ...place, text: spliceMembers(textOf(bytes, place), before, bead, lettersOf(line)) };
  });
  const added = [...chosen].flatMap(([id, { line }]) => (last.has(id) ? [] : [line]));
  return appendedLines(Buffer.concat(replacedLines(bytes, lines)), added);
}

/** Most changes look at nothing else, so that nothing else is read before it is asked for. */
function knownIn(bytes: Buffer, folder: string, file: string): KnownBeads {
  let ids: Set<string> | undefined;
  let all: ReturnType<typeof beadsIn> | undefined;
  const read = (): ReturnType<typeof beadsIn> => (all ??= beadsIn(bytes, file));
  return {
    get ids() {
      return (ids ??= new Set(idsIn(bytes)));
    },
    prefix() {
      const { prefix, warning } = configuredPrefix(folder, dirname(file));
      const own = prefix ?? commonPrefix(this.ids) ?? safePrefix(basename(dirname(folder)));
      return { prefix: own, warning };
    },
    all: () => read().beads,
    deleted: () => new Set(read().deleted.map(({ id }) => id)),
  };
}

/** What a person set for `bd` counts for us too. */
function configuredPrefix(
  folder: string,
  shown: string,
): { prefix?: string | undefined; warning?: string | undefined } {
  let text: string;
  try {
    text = readRegular(beadPaths.settings(folder), limits.settings).toString("utf8");
  } catch {
    return {};
  }
  const given = /^issue-prefix:(.*)$/m
    .exec(text)?.[1]
    ?.split(/(?<=\s)#|^#/, 1)[0]!
    .trim();
  if (given === undefined || given === "" || given === '""' || given === "''") return {};
  const prefix = /^(["']?)([A-Za-z0-9][A-Za-z0-9_-]{0,39})\1$/.exec(given)?.[2];
  if (prefix !== undefined) return { prefix: trimEndOf(prefix, "-") };
  return { warning: `${shown}/config.yaml: issue-prefix ${given} can begin no id, and is passed over` };
}
