import { statSync } from "node:fs";
import { sleep } from "../system/system.ts";
import { pause } from "../system/timer.ts";
import type { Disk, FileStamp } from "./disk.ts";

/**
 * An editor that saves in place empties the file and then writes, maybe piece by piece. The text counts as saved this long
 * after the last write. An empty file needs longer: on a busy disk the editor may still wait, and a caller that took it for
 * saved would lose the whole text. A temporary file that was renamed, as Clew does it, is whole at once.
 */
const savingMs = { empty: 2_000, partial: 500 };
/** A new file is written within this time. */
const writingMs = 200;
const lookAgainMs = 5;
const newline = 0x0a;

/**
 * Reads a file that the caller is going to replace. A text that was changed in place just now may still be incomplete, so
 * that this waits until it counts as saved. Undefined when there is no such file.
 */
export function readSavedFile(
  disk: Disk,
  file: string,
  limit?: number,
): { stamp: FileStamp; bytes: Buffer } | undefined {
  for (;;) {
    const text = disk.readStamped(file, limit);
    if (!text || !isFresh(text.stamp)) return text;
    if (text.bytes.at(-1) === newline && !isWrittenInPlace(file, text.stamp)) return text;
    pause(lookAgainMs);
  }
}

/** Resolves when a file is not empty, is missing, or was emptied so long ago that it counts as saved. */
export async function waitWhileEmpty(disk: Disk, file: string): Promise<void> {
  for (let stamp = disk.stamp(file); stamp?.size === 0 && isFresh(stamp); stamp = disk.stamp(file)) {
    await sleep(lookAgainMs);
  }
}

function isFresh({ size, mtimeNs }: FileStamp): boolean {
  const ageMs = Date.now() - msOf(BigInt(mtimeNs));
  return ageMs >= 0 && ageMs <= (size === 0 ? savingMs.empty : savingMs.partial);
}

/** Whether the file is older than its text. False where the system does not record when a file was made. */
function isWrittenInPlace(file: string, { mtimeNs }: FileStamp): boolean {
  const stats = statSync(file, { bigint: true, throwIfNoEntry: false });
  return stats !== undefined && stats.birthtimeNs > 0n && msOf(BigInt(mtimeNs)) - msOf(stats.birthtimeNs) > writingMs;
}

function msOf(ns: bigint): number {
  return Number(ns / 1_000_000n);
}
