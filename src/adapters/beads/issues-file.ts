import { lstatSync, readlinkSync, realpathSync, statSync, type Stats } from "node:fs";
import { dirname, join } from "node:path";
import type { BeadReader } from "../../app/bead/ports.ts";
import { tombstone } from "../../contract/bead.ts";
import { ClewError } from "../../contract/errors.ts";
import { sameStamp, type Disk, type FileStamp } from "../files/disk.ts";
import { refuseLinkOut } from "../files/bounds.ts";
import { readSaved } from "../files/read-saved.ts";
import type { BeadKeeper } from "./bead-keeper.ts";
import { beadsIn, idsIn } from "./bead-lines.ts";
import { beadsAround, findLine, type PlacedBead } from "./find-line.ts";
import { beadPaths } from "../layout.ts";

/** The file of lines, `.beads/issues.jsonl` as a rule. */
export interface IssuesFile {
  /** What a person calls it. */
  shown: string;
  /** Where its bytes really stand: somebody may have put a link there. */
  path(): string;
  /** All of it; nothing when it is missing. Not to be written to. */
  read(): Buffer;
  /** The last line of this bead in bytes that were read, also of a deleted one. */
  line(bytes: Buffer, id: string): PlacedBead | undefined;
  /** What `read` gave last, told from any later text; undefined when there was none. */
  stamp(): FileStamp | undefined;
}

export interface IssuesPlace {
  keeper: Pick<BeadKeeper, "folder" | "shownFile" | "isOutside">;
  root: string;
  commonDir: string;
}

export function issuesFileAt(disk: Disk, { keeper, root, commonDir }: IssuesPlace): IssuesFile {
  const { folder, shownFile: shown } = keeper;
  const file = beadPaths.issues(folder);
  // In a folder that a redirect leads to, links may not lead further.
  const base = keeper.isOutside ? { root: folder, commonDir: join(folder, ".git") } : { root, commonDir };
  const bounds = { ...base, allowedFolders: [] };
  const damaged = (message: string): ClewError => damagedFile(message, shown);
  /** Whoever takes up a bead asks for it several times; ten thousand beads take a while to read. */
  let kept: { stamp: FileStamp | undefined; bytes: Buffer } | undefined;
  /** Who changes a bead has just looked for it. */
  let found: { bytes: Buffer; id: string; line: PlacedBead | undefined } | undefined;
  const read = (): Buffer => {
    if (statsOf(folder, shown)?.isDirectory() === false) throw damaged(`${dirname(shown)} is not a folder`);
    const stats = statsOf(file, shown);
    if (stats) refuseLinkOut(bounds, file);
    // Reading a pipe would wait for ever.
    if (stats && !stats.isFile()) throw damaged(`${shown} is not a file`);
    if (!kept?.stamp || !sameStamp(kept.stamp, disk.stamp(file))) {
      kept = (stats && readSaved(disk, file)) ?? { stamp: undefined, bytes: Buffer.alloc(0) };
    }
    return kept.bytes;
  };
  return {
    shown,
    path() {
      refuseDeadLink(folder, dirname(shown), shown);
      refuseDeadLink(file, shown, shown);
      refuseLinkOut(bounds, file);
      return statsOf(file, shown) ? realpathSync(file) : file;
    },
    read,
    line(bytes, id) {
      if (found?.bytes !== bytes || found.id !== id) found = { bytes, id, line: findLine(bytes, id, shown) };
      return found.line;
    },
    stamp: () => kept?.stamp,
  };
}

function statsOf(path: string, shown: string): Stats | undefined {
  try {
    return statSync(path, { throwIfNoEntry: false });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ELOOP") throw error;
    throw damagedFile(`${path} is a link that leads to itself`, shown, error);
  }
}

/** Writing there would put a file where somebody keeps another one that is only out of reach now. */
function refuseDeadLink(path: string, name: string, shown: string): void {
  if (statsOf(path, shown) || !lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink()) return;
  throw damagedFile(`${name} is a link to ${readlinkSync(path)}, which is not there`, shown);
}

function damagedFile(message: string, shown: string, cause?: unknown): ClewError {
  return new ClewError("damaged_beads", message, `beads stand in ${shown}, one a line`, { cause });
}

/** Reads beads, unchanged. Only lines that could be the one asked for are parsed. */
export function beadReader(file: IssuesFile): BeadReader {
  return {
    place: file.shown,
    find(id) {
      const bead = file.line(file.read(), id)?.bead;
      return bead?.status === tombstone ? undefined : bead;
    },
    around: (id) => beadsAround(file.read(), id) ?? beadsIn(file.read(), file.shown).beads,
    ids: () => idsIn(file.read()),
    all: () => beadsIn(file.read(), file.shown),
    deleted: () => new Map(beadsIn(file.read(), file.shown).deleted.map((bead) => [bead.id, bead])),
  };
}
