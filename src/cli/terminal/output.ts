import { fstatSync, writeSync } from "node:fs";

/** `process.stdout` and its like take a tenth of the time that Node takes to start. These do without them. */

/** Whether a person looks at this file descriptor. */
export function isTerminal(fd: 0 | 1 | 2): boolean {
  try {
    // Only a device can be a terminal, so that a pipe or a file is told without loading what knows terminals.
    return fstatSync(fd).isCharacterDevice() && process.getBuiltinModule("node:tty").isatty(fd);
  } catch {
    return false;
  }
}

/** Writes everything. Whoever stops reading ends the program: that is no failure. */
export function writeAll(fd: 1 | 2, text: string): void {
  if (!writeWhileRead(fd, text)) process.exit(0);
}

/** Writes everything, and waits while the reader is slow; false when nobody reads any more. */
export function writeWhileRead(fd: 1 | 2, text: string): boolean {
  const bytes = Buffer.from(text);
  for (let done = 0; done < bytes.length;) {
    try {
      done += writeSync(fd, bytes, done);
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      if (code === "EPIPE") return false;
      if (code !== "EAGAIN") throw error;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 2);
    }
  }
  return true;
}
