import type { Readable } from "node:stream";

/** No line may be longer than this, or a stream without line ends would fill the memory. */
const longestLine = 16 * 1024 * 1024;
/** So many characters are read ahead while earlier lines are worked on. */
const readAhead = 4 * 1024 * 1024;

/**
 * The lines of a stream, as many at once as have arrived: whoever writes slowly is answered line by line, whoever writes
 * fast is worked on in large portions. A line that is too long to be held is null.
 */
export async function* linesOf(stream: Readable): AsyncGenerator<(string | null)[]> {
  const buffer = new LineBuffer();
  const inbound = { ended: false, failure: undefined as Error | undefined, wake: (): void => undefined };
  stream.on("data", (chunk: Buffer) => {
    buffer.add(chunk);
    if (buffer.size > readAhead) stream.pause();
    inbound.wake();
  });
  stream.on("error", (error) => {
    inbound.failure = error;
    inbound.wake();
  });
  // A stream that was destroyed closes without ending.
  for (const event of ["end", "close"]) {
    stream.on(event, () => {
      inbound.ended = true;
      inbound.wake();
    });
  }
  for (;;) {
    const lines = buffer.take(inbound.ended);
    if (lines.length > 0) {
      stream.resume();
      yield lines;
    } else if (inbound.failure) throw inbound.failure;
    else if (inbound.ended) return;
    else await new Promise<void>((resolve) => (inbound.wake = resolve));
  }
}

class LineBuffer {
  /** Characters that wait to be taken. */
  size = 0;
  readonly #decoder = new TextDecoder();
  #lines: (string | null)[] = [];
  #rest = "";
  #tooLong = false;

  add(chunk: Buffer): void {
    this.#split(this.#decoder.decode(chunk, { stream: true }));
    this.size += chunk.length;
  }

  /** What has arrived; at the end also what stands behind the last line end. */
  take(atEnd: boolean): (string | null)[] {
    if (atEnd) {
      this.#rest += this.#decoder.decode();
      if (this.#rest !== "" || this.#tooLong) this.#split("\n");
    }
    const taken = this.#lines;
    this.#lines = [];
    this.size = 0;
    return taken;
  }

  #split(text: string): void {
    const lines: (string | null)[] = (this.#rest + text).split("\n");
    this.#rest = lines.pop() ?? "";
    if (this.#tooLong && lines.length > 0) {
      lines[0] = null;
      this.#tooLong = false;
    }
    if (this.#tooLong || this.#rest.length > longestLine) {
      this.#tooLong = true;
      this.#rest = "";
    }
    for (const line of lines) this.#lines.push(line);
  }
}
