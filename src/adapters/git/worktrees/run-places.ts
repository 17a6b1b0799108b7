import { existsSync, readdirSync, realpathSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { readRegular } from "../../files/regular-file.ts";
import type { Repository } from "../repository.ts";
import { readNote } from "./note-file.ts";

/** Where the worktrees of runs stand now, by run. Reads a few small files; starts no process. */
export function runPlaces({ commonDir }: Repository): Map<string, string> {
  const places = new Map<string, string>();
  const folder = join(commonDir, "worktrees");
  if (!existsSync(folder)) return places;
  for (const name of readdirSync(folder)) {
    const gitFolder = join(realpathSync(folder), name);
    const run = readNote(gitFolder)?.run;
    const place = run === undefined ? undefined : placeIn(gitFolder);
    if (run !== undefined && place !== undefined) places.set(run, place);
  }
  return places;
}

/** Undefined when the worktree's folder is gone. */
function placeIn(gitFolder: string): string | undefined {
  try {
    const place = dirname(resolve(gitFolder, readRegular(join(gitFolder, "gitdir")).toString("utf8").trimEnd()));
    return existsSync(join(place, ".git")) ? place : undefined;
  } catch {
    return undefined;
  }
}
