import { dirname } from "node:path";
import { findLinkOut, isBelow, refuseLinkOut, type Bounds } from "./bounds.ts";
import type { Disk } from "./disk.ts";
import { UnreadableFile } from "./unreadable-file.ts";

/**
 * A disk that follows no links out of the repository: its files must not make Clew write to, or show, files elsewhere.
 * Each operation looks for links, because a checkout may bring new ones. In git's own folder, where no checkout writes,
 * each folder is checked once.
 */
export function boundedDisk(disk: Disk, bounds: Bounds): Disk {
  const checkedFolders = new Set<string>();
  const checkWrite = (path: string): void => {
    if (!isBelow(path, bounds.commonDir)) return refuseLinkOut(bounds, path);
    const folder = dirname(path);
    if (checkedFolders.has(folder)) return;
    refuseLinkOut(bounds, folder);
    checkedFolders.add(folder);
  };
  const checkRead = (path: string): void => {
    if (isBelow(path, bounds.commonDir)) return;
    const out = findLinkOut(bounds, path);
    // A link that leads nowhere counts as a missing file.
    if (out?.target !== undefined) throw new UnreadableFile(path, leadsOut(path, out.link, out.target));
  };
  return {
    ...disk,
    read: (path, limit) => (checkRead(path), disk.read(path, limit)),
    // A writer that trusts a stamp writes to that very file without another check.
    stamp: (path) => (checkRead(path), disk.stamp(path)),
    readStamped: (path, limit) => (checkRead(path), disk.readStamped(path, limit)),
    // With the expected stamp, it is the very file that was checked before.
    readRange: (path, start, end, expected) => {
      if (!expected) checkRead(path);
      return disk.readRange(path, start, end, expected);
    },
    append: (path, bytes, mode, expected) => {
      if (!expected) checkWrite(path);
      return disk.append(path, bytes, mode, expected);
    },
    overwrite: (path, bytes, expected) => {
      if (!expected) checkWrite(path);
      return disk.overwrite(path, bytes, expected);
    },
    truncate: (path, size) => (checkWrite(path), disk.truncate(path, size)),
    replace: (path, bytes, mode, expected) => (checkWrite(path), disk.replace(path, bytes, mode, expected)),
    replaceLater: (path, bytes, expected) => (checkWrite(path), disk.replaceLater(path, bytes, expected)),
    replaceUnsynced: (path, bytes) => (checkWrite(path), disk.replaceUnsynced(path, bytes)),
    create: (path, bytes, mode) => (checkWrite(path), disk.create(path, bytes, mode)),
    open: (path, mode) => (checkWrite(path), disk.open(path, mode)),
    makeFolder: (path) => (checkWrite(path), disk.makeFolder(path)),
    makeNewFolder: (path, isSyncedLater) => (checkWrite(path), disk.makeNewFolder(path, isSyncedLater)),
    list: (path) => (checkRead(path), disk.list(path)),
    move: (from, to) => (checkWrite(from), checkWrite(to), disk.move(from, to)),
    // A link itself may be removed; its target stays.
    remove: (path) => (refuseLinkOut(bounds, dirname(path)), disk.remove(path)),
  };
}

function leadsOut(path: string, link: string, target: string): string {
  const what = link === path ? "is a link" : `stands behind ${link}, a link`;
  return `${what} to ${target}, which is not in the repository`;
}
