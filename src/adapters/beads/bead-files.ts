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
  idOf,
  idsIn,
  readLine,
  replacedLines,
  beadLineText,
  textsIn,
  type LineRange,
} from "./bead-lines.ts";
import { beadReader, type IssuesFile } from "./issues-file.ts";
import { trimEndOf } from "../../text/trim.ts";
import { beadPaths } from "../layout/bead-paths.ts";

interface FileParts {
  disk: Disk;
  /** The folder that holds the file. */
  folder: string;
  file: IssuesFile;
  /** Of the repository around that folder: every Clew that writes there takes them. */
  locks: () => Promise<Locks>;
}

/** Beads in `.beads/issues.jsonl`: read anew under the lock, one line replaced, the file written aside and renamed. */
export function beadFiles({ disk, folder, file, locks }: FileParts): BeadPlace {
  // Editors take no lock: when one saved meanwhile, the work is repeated on its text.
  const withLock = async <T>(work: () => T): Promise<T> =>
    (await locks()).with("beads", () => retryOnChange(file.displayPath, work));
  const write = (bytes: Uint8Array | Uint8Array[]): void => {
    const path = file.path();
    disk.makeFolder(dirname(path));
    removeLeftovers(disk, path);
    if (file.stamp() === undefined && disk.stamp(path)) throw new FileChanged(path);
    disk.replace(path, bytes, undefined, file.stamp());
  };
  const readToWrite = (): Buffer => {
    const bytes = file.read();
    refuseConflictedFile(bytes, file.displayPath);
    return bytes;
  };
  const knownBeads = (bytes: Buffer): KnownBeads => lazyKnownBeads(bytes, folder, file.displayPath);
  const place: BeadPlace = {
    ...beadReader(file),
    lines: () => textsIn(file.read()),
    change: (id, change) =>
      withLock(() => {
        const bytes = readToWrite();
        const line = file.line(bytes, id);
        if (!line || line.bead.status === tombstone) throw unknownBead(id, file.displayPath);
        const after = change(line.bead, knownBeads(bytes));
        if (after === line.bead) return after;
        const text = spliceMembers(beadLineText(bytes, line), line.bead, after);
        write(replacedLines(bytes, [{ ...line, text }]));
        return after;
      }),
    add: (make) =>
      withLock(() => {
        const bytes = readToWrite();
        const bead = make(knownBeads(bytes));
        write(appendedLines(bytes, [JSON.stringify(bead)]));
        return bead;
      }),
    remove: (id, bury) => place.change(id, bury),
    // A bead's status shows that it is worked on, and the run's own claim keeps other runs off.
    claim: async () => undefined,
    giveBack: async () => "kept",
    refresh: async () => undefined,
    put: (choose) =>
      withLock(() => {
        const bytes = readToWrite();
        const writtenBeads = new Map(choose(knownBeads(bytes)).map((each) => [each.bead.id, each]));
        if (writtenBeads.size > 0) write(withBeads(bytes, writtenBeads, file.displayPath));
      }),
  };
  return place;
}

/** Throws when git left a conflict: its solution may drop the side that a change was written to. */
export function refuseConflictedFile(bytes: Buffer, file: string): void {
  const at = findConflict(bytes);
  if (at === undefined) return;
  throw damagedLine(bytes, at, { file, reason: "a merge conflict that git left" });
}

/** The offset of a line that begins with git's marker. */
function findConflict(bytes: Buffer): number | undefined {
  // A text this short is searched by its first letter, which is rare in JSON; a longer one takes ten times as long.
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

/** Writes each bead over the last line of its id, or as a new line. Throws when that last line is damaged. */
function withBeads(bytes: Buffer, writtenBeads: Map<string, BeadLine>, file: string): Uint8Array[] {
  const lastLines = new Map<string, LineRange & { before: Bead | ClewError }>();
  for (const range of eachLine(bytes)) {
    const line = readLine(bytes, range);
    const id = idOf(line);
    if (id === undefined || !writtenBeads.has(id)) continue;
    if (line.kind === "bead") lastLines.set(id, { ...range, before: line.bead });
    if (line.kind !== "damaged") continue;
    lastLines.set(id, { ...range, before: damagedLine(bytes, range.start, { file, reason: line.reason }) });
  }
  const lines = [...lastLines].map(([id, { before, ...range }]) => {
    if (before instanceof ClewError) throw before;
    const { bead, line } = writtenBeads.get(id)!;
    return { ...range, text: spliceMembers(beadLineText(bytes, range), before, bead, lettersOf(line)) };
  });
  const added = [...writtenBeads].flatMap(([id, { line }]) => (lastLines.has(id) ? [] : [line]));
  return appendedLines(Buffer.concat(replacedLines(bytes, lines)), added);
}

/** The other beads of the file, read when a change asks for them: most do not. */
function lazyKnownBeads(bytes: Buffer, folder: string, file: string): KnownBeads {
  let ids: Set<string> | undefined;
  let beads: ReturnType<typeof beadsIn> | undefined;
  const read = (): ReturnType<typeof beadsIn> => (beads ??= beadsIn(bytes, file));
  return {
    get ids() {
      return (ids ??= new Set(idsIn(bytes)));
    },
    prefix() {
      const { prefix, warning } = configuredPrefix(folder, dirname(file));
      const idPrefix = prefix ?? commonPrefix(this.ids) ?? safePrefix(basename(dirname(folder)));
      return { prefix: idPrefix, warning };
    },
    all: () => read().beads,
    deleted: () => new Set(read().deleted.map(({ id }) => id)),
  };
}

/** The prefix of ids that a person set for `bd`. */
function configuredPrefix(folder: string, displayFolder: string): { prefix?: string; warning?: string } {
  let text: string;
  try {
    text = readRegular(beadPaths.settings(folder), limits.settings).toString("utf8");
  } catch {
    return {};
  }
  const value = /^issue-prefix:(.*)$/m
    .exec(text)?.[1]
    ?.split(/(?<=\s)#|^#/, 1)[0]!
    .trim();
  if (value === undefined || value === "" || value === '""' || value === "''") return {};
  const prefix = /^(["']?)([A-Za-z0-9][A-Za-z0-9_-]{0,39})\1$/.exec(value)?.[2];
  if (prefix !== undefined) return { prefix: trimEndOf(prefix, "-") };
  return { warning: `${displayFolder}/config.yaml: issue-prefix ${value} can begin no id, and is passed over` };
}
