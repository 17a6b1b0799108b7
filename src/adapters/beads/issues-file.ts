import { lstatSync, readlinkSync, realpathSync, statSync, type Stats } from "node:fs";
import { dirname, join } from "node:path";
import type { BeadReader } from "../../app/bead/ports.ts";
import { tombstone } from "../../contract/bead.ts";
import { ClewError } from "../../contract/errors.ts";
import { sameStamp, type Disk, type FileStamp } from "../files/disk.ts";
import { refuseLinkOut } from "../files/bounds.ts";
import { readSavedFile } from "../files/read-saved-record.ts";
import type { BeadKeeper } from "./bead-keeper.ts";
import { beadsIn, idsIn } from "./bead-lines.ts";
import { beadsAround, findLine, type PlacedBead } from "./find-bead-line.ts";
import { beadPaths } from "../layout/bead-paths.ts";

/** The file of lines, `.beads/issues.jsonl` as a rule. */
export interface IssuesFile {
  /** What a person calls it. */
  displayPath: string;
  /** The real path: the user may have put a link there. */
  path(): string;
  /** All bytes; none when it is missing. Callers must not change them. */
  read(): Buffer;
  /** The last line of this bead in bytes that were read, also of a deleted one. */
  line(bytes: Buffer, id: string): PlacedBead | undefined;
  /** The stamp of what `read` returned last; undefined when there was no file. */
  stamp(): FileStamp | undefined;
}

interface IssuesPlace {
  keeper: Pick<BeadKeeper, "folder" | "displayFile" | "isOutside">;
  root: string;
  commonDir: string;
}

export function issuesFileAt(disk: Disk, { keeper, root, commonDir }: IssuesPlace): IssuesFile {
  const { folder, displayFile: displayPath } = keeper;
  const file = beadPaths.issues(folder);
  // In a folder that a redirect leads to, links may not lead further.
  const base = keeper.isOutside ? { root: folder, commonDir: join(folder, ".git") } : { root, commonDir };
  const bounds = { ...base, allowedFolders: [] };
  const damaged = (message: string): ClewError => damagedFile(message, displayPath);
  /** Starting a run reads its bead several times; ten thousand beads take a while to read. */
  let cached: { stamp: FileStamp | undefined; bytes: Buffer } | undefined;
  /** A caller that changes a bead has just looked it up. */
  let lastMatch: { bytes: Buffer; id: string; line: PlacedBead | undefined } | undefined;
  const read = (): Buffer => {
    if (statsOf(folder, displayPath)?.isDirectory() === false) throw damaged(`${dirname(displayPath)} is not a folder`);
    const stats = statsOf(file, displayPath);
    if (stats) refuseLinkOut(bounds, file);
    // Reading a pipe would wait for ever.
    if (stats && !stats.isFile()) throw damaged(`${displayPath} is not a file`);
    if (!cached?.stamp || !sameStamp(cached.stamp, disk.stamp(file))) {
      cached = (stats && readSavedFile(disk, file)) ?? { stamp: undefined, bytes: Buffer.alloc(0) };
    }
    return cached.bytes;
  };
  return {
    displayPath,
    path() {
      refuseDeadLink(folder, dirname(displayPath), displayPath);
      refuseDeadLink(file, displayPath, displayPath);
      refuseLinkOut(bounds, file);
      return statsOf(file, displayPath) ? realpathSync(file) : file;
    },
    read,
    line(bytes, id) {
      if (lastMatch?.bytes !== bytes || lastMatch.id !== id)
        lastMatch = { bytes, id, line: findLine(bytes, id, displayPath) };
      return lastMatch.line;
    },
    stamp: () => cached?.stamp,
  };
}

function statsOf(path: string, displayPath: string): Stats | undefined {
  try {
    return statSync(path, { throwIfNoEntry: false });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ELOOP") throw error;
    throw damagedFile(`${path} is a link that leads to itself`, displayPath, error);
  }
}

/** Throws for a link to a missing file: the user's file there may only be out of reach now. */
function refuseDeadLink(path: string, name: string, displayPath: string): void {
  if (statsOf(path, displayPath) || !lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink()) return;
  throw damagedFile(`${name} is a link to ${readlinkSync(path)}, which is not there`, displayPath);
}

function damagedFile(message: string, displayPath: string, cause?: unknown): ClewError {
  return new ClewError("damaged_beads", message, `beads stand in ${displayPath}, one a line`, { cause });
}

/** Reads beads, unchanged. Only lines that could be the one asked for are parsed. */
export function beadReader(file: IssuesFile): BeadReader {
  return {
    place: file.displayPath,
    find(id) {
      const bead = file.line(file.read(), id)?.bead;
      return bead?.status === tombstone ? undefined : bead;
    },
    around: (id) => beadsAround(file.read(), id) ?? beadsIn(file.read(), file.displayPath).beads,
    ids: () => idsIn(file.read()),
    all: () => beadsIn(file.read(), file.displayPath),
    deleted: () => new Map(beadsIn(file.read(), file.displayPath).deleted.map((bead) => [bead.id, bead])),
  };
}
