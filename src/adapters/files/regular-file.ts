import {
  closeSync,
  constants,
  fstatSync,
  openSync,
  readlinkSync,
  readSync,
  writeSync,
  type BigIntStats,
} from "node:fs";
import { ClewError } from "../../contract/errors.ts";
import { explainFailure } from "./failure.ts";
import { limits, sizeInWords } from "./limits.ts";
import { UnreadableFile } from "./unreadable-file.ts";

/** Opening a pipe does not wait for its other end, and a terminal does not become the controlling one. */
const safeFlags = constants.O_NONBLOCK | constants.O_NOCTTY;

/** No writer follows a link. */
export const forWriting = constants.O_RDWR | constants.O_NOFOLLOW;

/**
 * Opens a plain file; throws for a pipe, a device or a folder. Clew opens every file that another program may have put
 * there in this way. Throws system errors as `explainFailure` returns them.
 */
export function openRegular(
  path: string,
  flags: number = constants.O_RDONLY,
  mode = 0,
): { fd: number; stats: BigIntStats } {
  let fd: number;
  try {
    fd = openSync(path, flags | safeFlags, mode);
  } catch (error) {
    if ((flags & constants.O_NOFOLLOW) !== 0 && (error as NodeJS.ErrnoException).code === "ELOOP")
      throw throughLink(path);
    throw explainFailure(error, path);
  }
  const stats = fstatSync(fd, { bigint: true });
  if (stats.isFile()) return { fd, stats };
  closeSync(fd);
  throw new UnreadableFile(path, `is ${describeKind(stats)}, not a file`);
}

export function withRegular<T>(
  path: string,
  flags: number,
  mode: number,
  work: (fd: number, stats: BigIntStats) => T,
): T {
  const { fd, stats } = openRegular(path, flags, mode);
  try {
    return work(fd, stats);
  } catch (error) {
    throw explainFailure(error, path);
  } finally {
    closeSync(fd);
  }
}

/** All of an open file. Throws when it is longer than `limit`. */
export function readAll(fd: number, stats: BigIntStats, path: string, limit: number = limits.file): Buffer {
  if (stats.size > BigInt(limit)) throw new UnreadableFile(path, `is longer than ${sizeInWords(limit)}`);
  return readRange(fd, 0, Number(stats.size));
}

/** All of a plain file. Throws also when it is missing. */
export function readRegular(path: string, limit: number = limits.file): Buffer {
  return withRegular(path, constants.O_RDONLY, 0, (fd, stats) => readAll(fd, stats, path, limit));
}

/** Bytes from `start` on; fewer where the file ends. */
export function readRange(fd: number, start: number, end: number): Buffer {
  const bytes = Buffer.allocUnsafe(Math.max(0, end - start));
  let total = 0;
  while (total < bytes.length) {
    const count = readSync(fd, bytes, total, bytes.length - total, start + total);
    if (count === 0) break;
    total += count;
  }
  return bytes.subarray(0, total);
}

/** All bytes, from `position` on; null writes where the descriptor stands. */
export function writeAll(fd: number, bytes: Uint8Array, position: number | null): void {
  let written = 0;
  while (written < bytes.length) {
    written += writeSync(fd, bytes, written, bytes.length - written, position === null ? null : position + written);
  }
}

/** What is in the place of a file. */
export function describeKind(stats: Pick<BigIntStats, "isDirectory" | "isFIFO" | "isSocket">): string {
  if (stats.isDirectory()) return "a folder";
  if (stats.isFIFO()) return "a pipe";
  if (stats.isSocket()) return "a socket";
  return "a device";
}

function throughLink(path: string): ClewError {
  return new ClewError(
    "leads_outside",
    `${path} is a link to ${readlinkSync(path)}, and Clew does not write through links`,
    "put the file itself there",
  );
}
