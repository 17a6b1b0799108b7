import { dirname } from "node:path";
import { findLinkOut, isBelow, refuseLinkOut, type Bounds } from "./bounds.ts";
import type { Disk } from "./disk.ts";
import { UnreadableFile } from "./unreadable-file.ts";

/**
 * A disk on which links lead nowhere else: what a repository brings along must not make Clew write to, or show, files
 * that are not in it. Links are looked for at each operation, because a checkout may bring new ones; in git's own folder,
 * where no checkout writes, once.
 */
export function boundedDisk(disk: Disk, bounds: Bounds): Disk {
  const known = new Set<string>();
  const forWriting = (path: string): void => {
    if (!isBelow(path, bounds.commonDir)) return refuseLinkOut(bounds, path);
    const folder = dirname(path);
    if (known.has(folder)) return;
    refuseLinkOut(bounds, folder);
    known.add(folder);
  };
  const forReading = (path: string): void => {
    if (isBelow(path, bounds.commonDir)) return;
    const out = findLinkOut(bounds, path);
    // What leads nowhere is simply not there.
    if (out?.target !== undefined) throw new UnreadableFile(path, leadsOut(path, out.link, out.target));
  };
  return {
    ...disk,
    read: (path, limit) => (forReading(path), disk.read(path, limit)),
    // Whoever trusts a stamp writes to that very file without another look.
    stamp: (path) => (forReading(path), disk.stamp(path)),
    readStamped: (path, limit) => (forReading(path), disk.readStamped(path, limit)),
    // With the expected stamp, it is the very file that was looked at before.
    readRange: (path, start, end, expected) => {
      if (!expected) forReading(path);
      return disk.readRange(path, start, end, expected);
    },
    append: (path, bytes, mode, expected) => {
      if (!expected) forWriting(path);
      return disk.append(path, bytes, mode, expected);
    },
    overwrite: (path, bytes, expected) => {
      if (!expected) forWriting(path);
      return disk.overwrite(path, bytes, expected);
    },
    truncate: (path, size) => (forWriting(path), disk.truncate(path, size)),
    replace: (path, bytes, mode, expected) => (forWriting(path), disk.replace(path, bytes, mode, expected)),
    replaceUnsynced: (path, bytes) => (forWriting(path), disk.replaceUnsynced(path, bytes)),
    create: (path, bytes, mode) => (forWriting(path), disk.create(path, bytes, mode)),
    open: (path, mode) => (forWriting(path), disk.open(path, mode)),
    makeFolder: (path) => (forWriting(path), disk.makeFolder(path)),
    makeNewFolder: (path) => (forWriting(path), disk.makeNewFolder(path)),
    list: (path) => (forReading(path), disk.list(path)),
    // A link itself may go; what it leads to stays.
    remove: (path) => (refuseLinkOut(bounds, dirname(path)), disk.remove(path)),
  };
}

function leadsOut(path: string, link: string, target: string): string {
  const what = link === path ? "is a link" : `stands behind ${link}, a link`;
  return `${what} to ${target}, which is not in the repository`;
}
