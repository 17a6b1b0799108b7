import { dirname } from "node:path";
import type { LogEntry, ToolEntry } from "../../contract/session.ts";
import { encodeResult, parseResults } from "../../session/results.ts";
import type { Disk } from "./disk.ts";
import { limits } from "./limits.ts";

/** Removes results whose entries were never written, because their writer died in between. They begin at `size`. */
export function dropOrphans(disk: Disk, file: string, size: number | undefined): void {
  if (size !== undefined && (disk.stamp(file)?.size ?? 0) > size) disk.truncate(file, size);
}

/**
 * Appends the whole results of these entries; false when nothing was written. Not synced. Closes a line that a crash tore.
 * A file that would grow too long to be read gets no more: session.md has the summaries all the same.
 */
export function appendResults(disk: Disk, file: string, entries: LogEntry[]): boolean {
  const toolEntries = entries.filter(
    (entry): entry is ToolEntry & { result_full: string } => entry.kind === "tool" && entry.result_full !== undefined,
  );
  if (toolEntries.length === 0) return false;
  const size = disk.stamp(file)?.size ?? 0;
  const bytes = Buffer.from((isTorn(disk, file, size) ? "\n" : "") + toolEntries.map(encodeResult).join(""));
  if (size + bytes.length > limits.results) return false;
  if (size === 0) disk.makeFolder(dirname(file));
  disk.append(file, bytes, 0o600);
  return true;
}

function isTorn(disk: Disk, file: string, size: number): boolean {
  return size > 0 && disk.readRange(file, size - 1, size)[0] !== 10;
}

/** So much of the file's end is read first. */
const firstReadBytes = 1024 * 1024;

/**
 * The results by call. `counts` says how many of each call the caller needs, from the end. Only as much of the file is read
 * as has them, so that following a long session costs the same as a short one.
 */
export function readResults(disk: Disk, file: string, counts?: ReadonlyMap<string, number>): Map<string, string[]> {
  const size = Math.min(disk.stamp(file)?.size ?? 0, limits.results);
  for (let length = counts ? firstReadBytes : size; ; length *= 4) {
    const start = Math.max(0, size - length);
    const text = size === 0 ? "" : disk.readRange(file, start, size).toString("utf8");
    const results = parseResults(start === 0 ? text : afterFirstLine(text));
    const isFound = ([call, count]: [string, number]): boolean => (results.get(call)?.length ?? 0) >= count;
    if (start === 0 || [...counts!].every(isFound)) return results;
  }
}

/** Drops the first line, which may be incomplete. */
function afterFirstLine(text: string): string {
  const end = text.indexOf("\n");
  return end < 0 ? "" : text.slice(end + 1);
}
