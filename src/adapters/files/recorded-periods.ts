import { join } from "node:path";
import type { Period } from "../../app/import/ports.ts";
import { transcriptStart } from "../../session/transcript-name.ts";
import type { Disk } from "./disk.ts";

/** The system takes the times of files from a clock that goes by ticks: one may lie so far before what the engine wrote. */
const clockLagMs = 20;

/**
 * When Clew drove an engine, as its own transcripts in this folder tell: they are named by their beginning, and were written to
 * when the engine was last heard. So it is known of a process that was killed, too.
 */
export function recordedPeriods(disk: Disk, folder: string, engine: string): Period[] {
  return disk.list(folder).flatMap((name) => {
    const start = transcriptStart(name);
    const stamp = start?.engine === engine ? disk.stamp(join(folder, name)) : undefined;
    if (!start || !stamp) return [];
    const until = new Date(Number(BigInt(stamp.mtimeNs) / 1_000_000n) + clockLagMs).toISOString();
    return [{ from: new Date(start.atMs).toISOString(), until }];
  });
}
