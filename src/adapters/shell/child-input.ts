import type { Writable } from "node:stream";

/** Once so much waits to be read, further texts are refused: a child need not read at all. */
export const maxWaitingBytes = 16 * 1024 * 1024;

/**
 * The stdin of a child, written while it works. Never throws and never waits: a text is taken or refused. Texts that were
 * taken before the child began are read first; a text that was taken may never be read.
 */
export class ChildInput {
  #stream: Writable | undefined;
  #early: string[] = [];
  #earlyBytes = 0;
  #isClosed = false;

  /** Undefined when the text was taken. `closed`: the child or its stdin has ended. `full`: the child does not read. */
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

  /** Ends stdin after the texts that were taken. Can be repeated. */
  close(): void {
    this.#isClosed = true;
    this.#stream?.end();
  }

  /** Called once, when the child begins. The caller handles the stream's errors. */
  connect(stream: Writable): void {
    this.#stream = stream;
    for (const text of this.#early) stream.write(text);
    this.#early = [];
    if (this.#isClosed) stream.end();
  }
}
