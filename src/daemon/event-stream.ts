import type { ServerResponse } from "node:http";

/** Bytes that may wait for a client. One that reads more slowly is cut off, and comes back where it was. */
const maxWaitingBytes = 4 * 1024 * 1024;
/** What comes within this time is written at once. */
const gatherMs = 10;
const heartbeatMs = 15_000;

export const eventStreamHeaders = {
  "content-type": "text/event-stream; charset=utf-8",
  "cache-control": "no-store",
  // A proxy must not hold back what it gets.
  "x-accel-buffering": "no",
};

export interface StreamedEvent {
  /** Where a client goes on that was cut off. */
  id?: number;
  event: string;
  data: unknown;
}

/** An event as Server-Sent Events write it. JSON has no line end in it. */
export function encodeEvent({ id, event, data }: StreamedEvent): Buffer {
  const head = id === undefined ? "" : `id: ${id}\n`;
  return Buffer.from(`${head}event: ${event}\ndata: ${JSON.stringify(data)}\n\n`);
}

/** A response that events are written to as they come. Frames of one moment share a write. */
export class EventStream {
  readonly #response: ServerResponse;
  readonly #heartbeat: NodeJS.Timeout;
  #frames: Buffer[] = [];
  #timer: NodeJS.Timeout | undefined;
  #isOver = false;

  /** `onOver` is called once, when the client has gone, was cut off, or the stream has ended. */
  constructor(response: ServerResponse, onOver: () => void) {
    this.#response = response;
    response.writeHead(200, eventStreamHeaders);
    response.flushHeaders();
    // A connection that says nothing for long is often closed on the way.
    this.#heartbeat = setInterval(() => this.write(Buffer.from(": ping\n\n")), heartbeatMs);
    response.once("close", () => {
      this.#isOver = true;
      clearInterval(this.#heartbeat);
      clearTimeout(this.#timer);
      this.#frames = [];
      onOver();
    });
  }

  get isOver(): boolean {
    return this.#isOver;
  }

  write(frame: Buffer): void {
    if (this.#isOver) return;
    this.#frames.push(frame);
    this.#timer ??= setTimeout(() => this.#flush(), gatherMs);
  }

  /** Resolves when the client has room for more. */
  async drained(): Promise<void> {
    this.#flush();
    if (this.#isOver || !this.#response.writableNeedDrain) return;
    await new Promise<void>((resolve) => {
      this.#response.once("drain", resolve);
      this.#response.once("close", resolve);
    });
  }

  /** Writes what waits, and ends the response. */
  end(): void {
    this.#flush();
    if (!this.#isOver) this.#response.end();
  }

  #flush(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const frames = this.#frames;
    this.#frames = [];
    if (this.#isOver || frames.length === 0) return;
    this.#response.write(frames.length === 1 ? frames[0] : Buffer.concat(frames));
    if (this.#response.writableLength > maxWaitingBytes) this.#response.destroy();
  }
}
