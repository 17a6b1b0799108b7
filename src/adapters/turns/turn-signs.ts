import { attempt } from "../../text/attempt.ts";
import type { Disk } from "../files/disk.ts";
import { lockPath, type Layout } from "../layout.ts";
import { turnPaths } from "../layout/turn-paths.ts";

/** Whether a session has turns, or a process was about to make one. Reads nothing: every look at a session asks it. */
export function hasTurns(disk: Disk, layout: Layout, session: string): boolean {
  const signs = [turnPaths.lines(layout, session), lockPath(turnPaths.locks(layout), session)];
  // What stands behind a link out of the repository is no turn of ours.
  return signs.some((path) => attempt(() => disk.stamp(path), undefined) !== undefined);
}

/** Whether any session here had turns: each that was planned in left a lock. */
export function hasAnyTurns(disk: Disk, layout: Layout): boolean {
  return disk.list(turnPaths.locks(layout)).length > 0;
}
