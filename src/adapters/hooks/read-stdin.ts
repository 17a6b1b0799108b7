import { closeSync, constants, fstatSync, openSync, readSync } from "node:fs";
import { attempt } from "../../text/attempt.ts";
import { parseJson } from "../../text/parse-json.ts";

/** No engine sends more, or takes longer. */
const maxBytes = 16 * 1024 * 1024;
const maxMs = 10_000;
const chunkBytes = 64 * 1024;
const objectEnd = 0x7d;

/**
 * What comes on stdin, until it ends or is a whole JSON object. Throws an Error in words when it is too long, or when a pipe does not
 * end; on a socket, the engine's own time-out is the limit. `process.stdin` would take a quarter of what Node takes to start.
 */
export function readStdin(): string {
  const fd = openWithoutWaiting();
  const deadline = clockMs() + maxMs;
  const chunks: Buffer[] = [];
  let size = 0;
  try {
    for (;;) {
      const chunk = readChunk(fd, deadline);
      if (chunk.length === 0) return textOf(chunks);
      size += chunk.length;
      if (size > maxBytes) throw new Error(`more than ${maxBytes / 1024 / 1024} MB came on stdin`);
      chunks.push(chunk);
      if (chunk.at(-1) !== objectEnd) continue;
      const text = textOf(chunks);
      if (parseJson(text) !== undefined) return text;
    }
  } finally {
    if (fd !== 0) closeSync(fd);
  }
}

/** A pipe that is opened anew in this way does not block; nothing else can be opened so. */
function openWithoutWaiting(): number {
  if (!fstatSync(0).isFIFO()) return 0;
  return attempt(() => openSync("/proc/self/fd/0", constants.O_RDONLY | constants.O_NONBLOCK), 0);
}

/** Empty at the end. */
function readChunk(fd: number, deadline: number): Buffer {
  const buffer = Buffer.allocUnsafe(chunkBytes);
  for (;;) {
    try {
      return buffer.subarray(0, readSync(fd, buffer, 0, chunkBytes, null));
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "EAGAIN") throw error;
      if (clockMs() > deadline) throw new Error(`stdin did not end within ${maxMs / 1000} s`, { cause: error });
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 0.5);
    }
  }
}

function textOf(chunks: Buffer[]): string {
  return Buffer.concat(chunks).toString("utf8");
}

/** Never jumps; to load `performance` takes a millisecond. */
function clockMs(): number {
  return Number(process.hrtime.bigint() / 1_000_000n);
}
