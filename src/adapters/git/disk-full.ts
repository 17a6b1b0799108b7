import { statfsSync } from "node:fs";
import { ClewError } from "../../contract/errors.ts";
import type { GitResult } from "./git-calls.ts";

/**
 * What git prints when the system takes no more bytes; of its own files it does not say why. Lines of its own begin so: what a
 * hook prints is about something else.
 */
const diskFullMessage =
  /^(?:error|fatal|warning): .*(?:no space left on device|disk quota exceeded|out of disk ?space|unable to write (?:file|new index|loose object)|couldn't write ')/im;

/** Git needs more than this for the smallest change, and may say so in another language. */
const minFreeBytes = 32 * 1024;

/** The error to throw when git failed because the disk is full; undefined when it was something else. */
export function diskFull({ code, stderr }: GitResult, folder: string): ClewError | undefined {
  if (code <= 0 || !(diskFullMessage.test(stderr) || hasNoRoom(folder))) return undefined;
  const reason = stderr.trim().split("\n").at(-1) ?? "";
  return new ClewError(
    "disk_full",
    `no room on disk for git in ${folder}${reason === "" ? "" : `: ${reason}`}`,
    "free some space, then repeat the command: it goes on from here",
  );
}

function hasNoRoom(folder: string): boolean {
  try {
    const { bavail, bsize, files, ffree } = statfsSync(folder);
    return bavail * bsize < minFreeBytes || (files > 0 && ffree === 0);
  } catch {
    return false;
  }
}
