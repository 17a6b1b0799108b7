import { statSync } from "node:fs";
import { sleep } from "../system/system.ts";
import { pause } from "../system/timer.ts";
import type { Disk, FileStamp } from "./disk.ts";

/**
 * An editor that saves in place empties the file and then writes, maybe piece by piece. It has this long after each before what stands
 * there counts as saved; longer while there is nothing at all, because a busy disk lets it wait, and whoever believed it would lose all
 * that the file had. What was written aside and renamed, as Clew does it, is whole at once.
 */
const savingMs = { nothing: 2_000, some: 500 };
/** A file that is made and written takes no longer. */
const writingMs = 200;
const lookAgainMs = 5;
const newline = 0x0a;

/**
 * The file as somebody saved it, for who is going to put another in its place: a text that was changed in place just now may still be on
 * its way, and is waited for. Undefined when there is no such file.
 */
export function readSaved(disk: Disk, file: string, limit?: number): { stamp: FileStamp; bytes: Buffer } | undefined {
  for (;;) {
    const read = disk.readStamped(file, limit);
    if (!read) return read;
    if (!isFresh(read.stamp)) return read;
    if (read.bytes.at(-1) === newline && !isWrittenInPlace(file, read.stamp)) return read;
    pause(lookAgainMs);
  }
}

/** Resolves when a file has something in it, is gone, or was emptied so long ago that this is what was saved. */
export async function waitWhileEmpty(disk: Disk, file: string): Promise<void> {
  for (let stamp = disk.stamp(file); stamp?.size === 0 && isFresh(stamp); stamp = disk.stamp(file)) {
    await sleep(lookAgainMs);
  }
}

function isFresh({ size, mtimeNs }: FileStamp): boolean {
  const ageMs = Date.now() - msOf(BigInt(mtimeNs));
  return ageMs >= 0 && ageMs <= (size === 0 ? savingMs.nothing : savingMs.some);
}

/** Whether the file is older than what stands in it. Where the system does not know when a file was made, none is. */
function isWrittenInPlace(file: string, { mtimeNs }: FileStamp): boolean {
  const stats = statSync(file, { bigint: true, throwIfNoEntry: false });
  return stats !== undefined && stats.birthtimeNs > 0n && msOf(BigInt(mtimeNs)) - msOf(stats.birthtimeNs) > writingMs;
}

function msOf(ns: bigint): number {
  return Number(ns / 1_000_000n);
}
