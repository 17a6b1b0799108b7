import { fstatSync, statSync, write, writeSync } from "node:fs";
import { devNull } from "node:os";
import { jsonPieces } from "./json-pieces.ts";
import { sanitize } from "./escape-sequences.ts";

/** To load `process.stdout` takes a tenth of the time that Node takes to start. These functions do without it. */

/** Whether a person looks at this file descriptor. */
export function isTerminal(fd: 0 | 1 | 2): boolean {
  try {
    // Only a device other than /dev/null can be a terminal. For anything else, node:tty is not loaded: that would take as long
    // as many a command.
    const device = fstatSync(fd);
    if (!device.isCharacterDevice() || device.rdev === statSync(devNull).rdev) return false;
    return process.getBuiltinModule("node:tty").isatty(fd);
  } catch {
    return false;
  }
}

/** Writes a text in which only the program's own control sequences take effect. */
export function writeText(fd: 1 | 2, text: string): void {
  writeBytes(fd, Buffer.from(sanitize(text)));
}

/** As much as a pipe takes at once. */
const bufferBytes = 64 * 1024;
/** The most bytes that one UTF-16 unit takes in UTF-8. */
const maxCharacterBytes = 3;

/** Writes a value as one line of JSON, in which no control character takes effect: they are escaped. */
export function writeJson(fd: 1, value: unknown): void {
  const buffer = Buffer.allocUnsafe(bufferBytes);
  let used = 0;
  const add = (text: string): void => {
    if (used + text.length * maxCharacterBytes > bufferBytes) {
      writeBytes(fd, buffer.subarray(0, used));
      used = 0;
    }
    if (text.length * maxCharacterBytes > bufferBytes) writeBytes(fd, Buffer.from(text));
    else used += buffer.write(text, used);
  };
  for (const piece of jsonPieces(value)) add(piece);
  add("\n");
  writeBytes(fd, buffer.subarray(0, used));
}

/** Writes bytes as they are to a pipe or a file. A terminal gets them as text. */
export function writeBinary(fd: 1, bytes: Uint8Array): void {
  if (isTerminal(fd)) writeText(fd, Buffer.from(bytes).toString("utf8"));
  else writeBytes(fd, bytes);
}

/** Writes everything, and waits while the reader is slow. Ends the program, without failure, when the reader has gone. */
function writeBytes(fd: 1 | 2, bytes: Uint8Array): void {
  for (let offset = 0; offset < bytes.length;) {
    try {
      offset += writeSync(fd, bytes, offset);
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      if (code === "EPIPE") process.exit(0);
      if (code !== "EAGAIN") throw error;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 2);
    }
  }
}

/**
 * Stdout for commands that watch over processes meanwhile: text is queued, so that a slow reader or a stopped terminal
 * does not hold them up.
 */
export class QueuedOutput {
  readonly #onUnread: () => void;
  #isRead = true;
  #writes = Promise.resolve();

  /** `onUnread` is called once, when the reader has gone. */
  constructor(onUnread: () => void) {
    this.#onUnread = onUnread;
  }

  get isRead(): boolean {
    return this.#isRead;
  }

  push(text: string): void {
    this.#writes = this.#writes.then(() => this.#write(Buffer.from(sanitize(text))));
  }

  /** Resolves when all that was pushed is written, or the reader has gone. */
  flush(): Promise<void> {
    return this.#writes;
  }

  async #write(bytes: Buffer): Promise<void> {
    for (let offset = 0; offset < bytes.length && this.#isRead;) {
      try {
        offset += await writeSome(bytes.subarray(offset));
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code === "EAGAIN") await new Promise((again) => setTimeout(again, 5));
        else {
          this.#isRead = false;
          this.#onUnread();
        }
      }
    }
  }
}

function writeSome(bytes: Buffer): Promise<number> {
  return new Promise((resolve, reject) => {
    write(1, bytes, 0, bytes.length, null, (error, count) => (error ? reject(error) : resolve(count)));
  });
}
