import { join } from "node:path";
import type { Period } from "../../app/import/ports.ts";
import type { Disk } from "./disk.ts";

const transcriptName = /^([a-z0-9][\w-]{0,63}?)-(\d{4}-\d\d-\d\d)T(\d\d)(\d\d)(\d\d\.\d{3})Z-[\w-]{0,120}\.jsonl$/i;

/**
 * When Clew drove an engine, as its own transcripts in this folder tell: they are named by their beginning, and were written to
 * when the engine was last heard. So it is known of a process that was killed, too.
 */
export function recordedPeriods(disk: Disk, folder: string, engine: string): Period[] {
  return disk.list(folder).flatMap((name) => {
    const [, by, day, hour, minute, second] = transcriptName.exec(name) ?? [];
    const stamp = by === engine ? disk.stamp(join(folder, name)) : undefined;
    if (!stamp) return [];
    // Up to the end of that millisecond.
    const until = new Date(Number(BigInt(stamp.mtimeNs) / 1_000_000n) + 1).toISOString();
    return [{ from: `${day}T${hour}:${minute}:${second}Z`, until }];
  });
}
