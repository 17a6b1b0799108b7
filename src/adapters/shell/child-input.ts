import type { Writable } from "node:stream";

/** Once so much waits to be read, nothing more is taken: a child need not read at all. */
export const maxWaitingBytes = 16 * 1024 * 1024;

/**
 * What a child is given to read while it works. Never throws and never waits: a text is taken or refused. What was taken
 * before the child began is read first; what was taken need not ever be read.
 */
export class ChildInput {
  #stream: Writable | undefined;
  #early: string[] = [];
  #earlyBytes = 0;
  #isClosed = false;

  /** Undefined when the text was taken. `closed`: the child has ended, or nothing more was promised. `full`: it does not read. */
  write(text: string): "closed" | "full" | undefined {
    const stream = this.#stream;
    if (this.#isClosed || stream?.writable === false) return "closed";
    if ((stream?.writableLength ?? this.#earlyBytes) > maxWaitingBytes) return "full";
    if (stream) stream.write(text);
    else {
      this.#early.push(text);
      this.#earlyBytes += Buffer.byteLength(text);
    }
    return undefined;
  }

  /** The child reads to the end of what was taken, and no further. Repeating it does nothing. */
  close(): void {
    this.#isClosed = true;
    this.#stream?.end();
  }

  /** Called once, when the child begins. Whoever calls it hears of the stream's errors. */
  connect(stream: Writable): void {
    this.#stream = stream;
    for (const text of this.#early) stream.write(text);
    this.#early = [];
    if (this.#isClosed) stream.end();
  }
}
