import type { Readable } from "node:stream";

/** No line may be longer than this, or a stream without line ends would fill the memory. */
const maxLineLength = 16 * 1024 * 1024;
/** Characters that are read ahead while the caller works on earlier lines. */
const readAheadLimit = 4 * 1024 * 1024;

/**
 * The lines of a stream, as many at once as have arrived: single lines from a slow writer, large portions from a fast one.
 * A line that is too long to be kept in memory is null.
 */
export async function* streamLines(stream: Readable): AsyncGenerator<(string | null)[]> {
  const buffer = new LineBuffer();
  const source = { ended: false, failure: undefined as Error | undefined, wake: (): void => undefined };
  stream.on("data", (chunk: Buffer) => {
    buffer.add(chunk);
    if (buffer.size > readAheadLimit) stream.pause();
    source.wake();
  });
  stream.on("error", (error) => {
    source.failure = error;
    source.wake();
  });
  // A stream that was destroyed closes without ending.
  for (const event of ["end", "close"]) {
    stream.on(event, () => {
      source.ended = true;
      source.wake();
    });
  }
  for (;;) {
    const lines = buffer.take(source.ended);
    if (lines.length > 0) {
      stream.resume();
      yield lines;
    } else if (source.failure) throw source.failure;
    else if (source.ended) return;
    else await new Promise<void>((resolve) => (source.wake = resolve));
  }
}

class LineBuffer {
  /** Bytes that were added since the last take. */
  size = 0;
  readonly #decoder = new TextDecoder();
  #lines: (string | null)[] = [];
  #partialLine = "";
  #isTooLong = false;

  add(chunk: Buffer): void {
    this.#split(this.#decoder.decode(chunk, { stream: true }));
    this.size += chunk.length;
  }

  /** What has arrived; at the end also what stands behind the last line end. */
  take(atEnd: boolean): (string | null)[] {
    if (atEnd) {
      this.#partialLine += this.#decoder.decode();
      if (this.#partialLine !== "" || this.#isTooLong) this.#split("\n");
    }
    const lines = this.#lines;
    this.#lines = [];
    this.size = 0;
    return lines;
  }

  #split(text: string): void {
    const lines: (string | null)[] = text.split("\n");
    // Only what is new is searched, so that a long line takes no longer than many short ones.
    lines[0] = this.#partialLine + lines[0]!;
    this.#partialLine = lines.pop() ?? "";
    if (this.#isTooLong && lines.length > 0) {
      lines[0] = null;
      this.#isTooLong = false;
    }
    if (this.#isTooLong || this.#partialLine.length > maxLineLength) {
      this.#isTooLong = true;
      this.#partialLine = "";
    }
    for (const line of lines) this.#lines.push(line);
  }
}
