import { closeSync, constants, fdatasyncSync, fstatSync, mkdirSync, writeSync } from "node:fs";
import { dirname } from "node:path";
import type { Redacted } from "../../contract/redacted.ts";
import { openRegular } from "../files/regular-file.ts";
import { syncFolder } from "./sync-folder.ts";

/** An engine session, or a run, that tells more than this is out of hand. */
export const maxHookFileBytes = 512 * 1024 * 1024;

const { O_WRONLY, O_APPEND, O_CREAT, O_NOFOLLOW } = constants;

/**
 * Adds a line to a file that several processes add lines to, and syncs it. It is one write at the end of the file, which the kernel
 * does not mix with another one's. A line begins with a line end, so that one that was cut off, by a full disk, harms no other.
 * Throws when the file would become longer than it may be, when it is no plain file, or when the line is not on disk.
 */
export function appendLine(path: string, line: Redacted<string>): void {
  const { fd, isNew } = openForAppend(path);
  try {
    const bytes = Buffer.from(`\n${line}\n`);
    if (fstatSync(fd).size + bytes.length > maxHookFileBytes)
      throw new Error(`${path} would become longer than it may be`);
    const written = writeSync(fd, bytes);
    if (written < bytes.length) throw new Error(`no room on disk for ${path}`);
    fdatasyncSync(fd);
  } finally {
    closeSync(fd);
  }
  if (isNew) syncFolder(dirname(path));
}

function openForAppend(path: string): { fd: number; isNew: boolean } {
  const flags = O_WRONLY | O_APPEND | O_NOFOLLOW;
  try {
    return { fd: openRegular(path, flags).fd, isNew: false };
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    return { fd: openRegular(path, flags | O_CREAT, 0o600).fd, isNew: true };
  }
}
