import type { Disk } from "../files/disk.ts";
import { numberOf } from "./event-numbers.ts";
import { rawLines } from "./journal-lines.ts";

const chunkBytes = 1024 * 1024;

/**
 * Where in a journal the event with this number stands that opens a phase of the session; undefined when it has none. Looks from the end,
 * where what is asked for nearly always is, and at no line as a whole: a line's end never stands inside one.
 */
export function placeOfPhase(disk: Disk, path: string, n: number): number | undefined {
  const types = ["workflow.step.started", "workflow.merge_pending"];
  const beginnings = types.map((type) => Buffer.from(`\n{"type":"${type}","n":${n},`));
  const longest = Math.max(...beginnings.map(({ length }) => length));
  let end = disk.stamp(path)?.size ?? 0;
  while (end > 0) {
    const start = Math.max(0, end - chunkBytes);
    // What stands across the border of two chunks is seen by one of them.
    const chunk = disk.readRange(path, start, end + longest);
    const index = Math.max(...beginnings.map((beginning) => chunk.lastIndexOf(beginning)));
    if (index >= 0) return start + index + 1;
    end = start;
  }
  const { value: first } = rawLines(disk, path).next();
  return first && numberOf(first.text) === n ? 0 : undefined;
}
