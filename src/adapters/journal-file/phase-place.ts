import type { Disk } from "../files/disk.ts";
import { eventNumberIn } from "./journal-events.ts";
import { rawLines } from "./journal-lines.ts";

const chunkBytes = 1024 * 1024;

/**
 * The offset of the event with this number, if it opens a phase of the session; else undefined. Searches from the end, where
 * it nearly always is, for the beginning of the line: a JSON line has no line end inside.
 */
export function placeOfPhase(disk: Disk, path: string, n: number): number | undefined {
  const types = ["workflow.step.started", "workflow.merge_pending"];
  const beginnings = types.map((type) => Buffer.from(`\n{"type":"${type}","n":${n},`));
  const longest = Math.max(...beginnings.map(({ length }) => length));
  let end = disk.stamp(path)?.size ?? 0;
  while (end > 0) {
    const start = Math.max(0, end - chunkBytes);
    // Chunks overlap, so that a match across their border is found.
    const chunk = disk.readRange(path, start, end + longest);
    const index = Math.max(...beginnings.map((beginning) => chunk.lastIndexOf(beginning)));
    if (index >= 0) return start + index + 1;
    end = start;
  }
  const { value: first } = rawLines(disk, path).next();
  return first && eventNumberIn(first.text) === n ? 0 : undefined;
}
