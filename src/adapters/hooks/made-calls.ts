import { constants } from "node:fs";
import type { HasMadeCall } from "../../app/rehydrate/ports.ts";
import { attempt } from "../../text/attempt.ts";
import { readRange, withRegular } from "../files/regular-file.ts";
import { hookPaths, isSpoolId } from "../layout/hook-paths.ts";

/** So much of what an engine session told last is looked through. */
const tailBytes = 64 * 1024 * 1024;
const portionBytes = 4 * 1024 * 1024;
/** No id of a call is longer. */
const overlapBytes = 1024;

/** Looks for the names of calls in what an engine session told its hooks, from its end on. */
export function madeCalls(home: string): HasMadeCall {
  return (engine, session, toolUseIds) => {
    if (!isSpoolId(session) || !/^[a-z]{1,20}$/.test(engine)) return false;
    const names = toolUseIds.map((id) => JSON.stringify(id));
    const path = hookPaths.spool(home, { engine, session });
    const look = (fd: number, size: number): boolean => {
      for (let end = size; end > Math.max(0, size - tailBytes); end -= portionBytes) {
        const text = readRange(fd, Math.max(0, end - portionBytes), Math.min(size, end + overlapBytes)).toString(
          "latin1",
        );
        if (names.some((name) => text.includes(name))) return true;
      }
      return false;
    };
    const flags = constants.O_RDONLY | constants.O_NOFOLLOW;
    return attempt(() => withRegular(path, flags, 0, (fd, { size }) => look(fd, Number(size))), false);
  };
}
