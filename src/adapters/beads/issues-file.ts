import { lstatSync, readlinkSync, realpathSync, statSync, type Stats } from "node:fs";
import { join } from "node:path";
import type { BeadReader } from "../../app/bead-port.ts";
import { tombstone } from "../../contract/bead.ts";
import { ClewError } from "../../contract/errors.ts";
import { sameStamp, type Disk, type FileStamp } from "../files/disk.ts";
import { refuseLinkOut } from "../files/bounds.ts";
import { beadsIn, findLine, idsIn, shownFile } from "./bead-lines.ts";

/** `.beads/issues.jsonl` of the main checkout. */
export interface IssuesFile {
  /** Where its bytes really stand: somebody may have put a link there. */
  path(): string;
  /** All of it; nothing when it is missing. Not to be written to. */
  read(): Buffer;
  /** What `read` gave last, told from any later text; undefined when there was none. */
  stamp(): FileStamp | undefined;
}

export function issuesFileAt(disk: Disk, root: string, folder = join(root, ".beads")): IssuesFile {
  const file = join(folder, "issues.jsonl");
  const bounds = { root, commonDir: join(root, ".git"), allowed: [] };
  /** Whoever takes up a bead asks for it several times; ten thousand beads take a while to read. */
  let kept: { stamp: FileStamp | undefined; bytes: Buffer } | undefined;
  return {
    path() {
      refuseDeadLink(folder, ".beads");
      refuseDeadLink(file, shownFile);
      refuseLinkOut(bounds, file);
      return statsOf(file) ? realpathSync(file) : file;
    },
    read() {
      if (statsOf(folder)?.isDirectory() === false) throw damaged(".beads is not a folder");
      const stats = statsOf(file);
      if (stats) refuseLinkOut(bounds, file);
      // Reading a pipe would wait for ever.
      if (stats && !stats.isFile()) throw damaged(`${shownFile} is not a file`);
      if (!kept?.stamp || !sameStamp(kept.stamp, disk.stamp(file))) {
        kept = (stats && disk.readStamped(file)) ?? { stamp: undefined, bytes: Buffer.alloc(0) };
      }
      return kept.bytes;
    },
    stamp: () => kept?.stamp,
  };
}

function statsOf(path: string): Stats | undefined {
  try {
    return statSync(path, { throwIfNoEntry: false });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ELOOP") throw error;
    throw damaged(`${path} is a link that leads to itself`, error);
  }
}

/** Writing there would put a file where somebody keeps another one that is only out of reach now. */
function refuseDeadLink(path: string, shown: string): void {
  if (statsOf(path) || !lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink()) return;
  throw damaged(`${shown} is a link to ${readlinkSync(path)}, which is not there`);
}

function damaged(message: string, cause?: unknown): ClewError {
  return new ClewError("damaged_beads", message, `beads stand in ${shownFile}, one a line`, { cause });
}

/** Reads beads, unchanged. Only lines that could be the one asked for are parsed. */
export function beadReader(file: IssuesFile): BeadReader {
  return {
    place: shownFile,
    find(id) {
      const bead = findLine(file.read(), id)?.bead;
      return bead?.status === tombstone ? undefined : bead;
    },
    ids: () => idsIn(file.read()),
    all: () => beadsIn(file.read()),
  };
}
