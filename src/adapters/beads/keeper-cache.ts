import { statSync } from "node:fs";
import { resolve } from "node:path";
import { findKeeper, type BeadKeeper } from "./bead-keeper.ts";
import { rootPaths } from "../layout.ts";
import { beadPaths } from "../layout/bead-paths.ts";

/** Remembers which program keeps the beads. */
export interface KeeperCache {
  /** Searched again only when the folders or their settings have changed: a command asks many times. */
  current(): BeadKeeper;
  /** Searched again, for writers: a folder may change twice within one tick of its clock. */
  reload(): BeadKeeper;
}

export function keeperCache(root: string, env: Record<string, string | undefined>): KeeperCache {
  const starts = [rootPaths.beads(root), ...(env["BEADS_DIR"] ? [resolve(root, env["BEADS_DIR"])] : [])];
  let cached: { keeper: BeadKeeper; stamp: string } | undefined;
  const reload = (): BeadKeeper => {
    cached = undefined;
    // The stamp is taken first, so that the next call sees what changes meanwhile.
    const before = stampOf(starts);
    const keeper = findKeeper(root, env);
    cached = { keeper, stamp: `${before} ${stampOf([keeper.folder])}` };
    return keeper;
  };
  return {
    current: () =>
      cached?.stamp === `${stampOf(starts)} ${stampOf([cached?.keeper.folder ?? ""])}` ? cached.keeper : reload(),
    reload,
  };
}

/** Names that come and go change their folder's time; settings may be written in place. */
function stampOf(folders: string[]): string {
  return folders
    .flatMap((folder) => [folder, beadPaths.redirect(folder), beadPaths.metadata(folder), beadPaths.settings(folder)])
    .map(stampAt)
    .join(" ");
}

function stampAt(path: string): string {
  try {
    const stats = statSync(path, { throwIfNoEntry: false, bigint: true });
    return stats ? `${stats.ino}:${stats.mtimeNs}:${stats.ctimeNs}` : "none";
  } catch (error) {
    // `findKeeper` reports what is wrong with the folder.
    return (error as Error).message;
  }
}
