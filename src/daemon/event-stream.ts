import type { ServerResponse } from "node:http";

/** Bytes that may wait while a client takes in what was written before. One that reads more slowly is cut off, and comes back where it was. */
const maxWaitingBytes = 4 * 1024 * 1024;
/** A client that takes nothing of what waits for it for so long is cut off, too. */
const stalledMs = 30_000;
/** What comes within this time is written at once. */
export const gatherMs = 25;
/** A connection that says nothing for long is often closed on the way. */
export const heartbeatMs = 15_000;

/** Server-Sent Events, or lines of JSON. */
export type StreamFormat = "events" | "lines";

const contentTypes = {
  events: "text/event-stream; charset=utf-8",
  lines: "application/x-ndjson; charset=utf-8",
} satisfies Record<StreamFormat, string>;

export interface StreamedItem {
  /** Where a client goes on that was cut off. */
  id?: number | string;
  event: string;
  data: unknown;
}

export function streamHeaders(format: StreamFormat): Record<string, string> {
  return {
    "content-type": contentTypes[format],
    "cache-control": "no-store",
    "x-content-type-options": "nosniff",
    // A proxy must not hold back what it gets.
    "x-accel-buffering": "no",
  };
}

/** An item as it is written. JSON has no line end in it. */
export function encodeItem(format: StreamFormat, { id, event, data }: StreamedItem): Buffer {
  const json = JSON.stringify(data);
  if (format === "lines") return Buffer.from(`${json}\n`);
  const head = id === undefined ? "" : `id: ${id}\n`;
  return Buffer.from(`${head}event: ${event}\ndata: ${json}\n\n`);
}

/** A response that items are written to as they come. What comes in one moment shares a write. */
export class EventStream {
  readonly format: StreamFormat;
  readonly #response: ServerResponse;
  readonly #heartbeat: NodeJS.Timeout | undefined;
  /** What waits to be written. */
  #frames: Buffer[] = [];
  #waitingBytes = 0;
  #timer: NodeJS.Timeout | undefined;
  #isOver = false;
  /** Called when the client has room for more, or is gone. */
  #onRoom = (): void => undefined;

  /** `onOver` is called once, when the client has gone, was cut off, or the stream has ended. */
  constructor(response: ServerResponse, format: StreamFormat, onOver: () => void, cutOffAfterMs = stalledMs) {
    this.#response = response;
    this.format = format;
    const over = (): void => {
      this.#isOver = true;
      clearInterval(this.#heartbeat);
      clearTimeout(this.#timer);
      this.#takeFrames();
      this.#onRoom();
      onOver();
    };
    if (response.destroyed) {
      over();
      return;
    }
    response.once("close", over).on("drain", () => this.#useRoom());
    response.writeHead(200, streamHeaders(format));
    response.flushHeaders();
    // Node counts from when the connection last moved. One that is only quiet has nothing that waits.
    response.setTimeout(cutOffAfterMs, () => {
      if (response.writableLength > 0) this.cutOff();
    });
    if (format === "events") this.#heartbeat = setInterval(() => this.write(Buffer.from(": ping\n\n")), heartbeatMs);
  }

  get isOver(): boolean {
    return this.#isOver;
  }

  send(item: StreamedItem): void {
    this.write(encodeItem(this.format, item));
  }

  write(frame: Buffer): void {
    if (this.#isOver) return;
    // What comes now does not count: however large one item is, a client that reads gets it.
    if (this.#response.writableNeedDrain && this.#waitingBytes > maxWaitingBytes) return this.cutOff();
    this.#frames.push(frame);
    this.#waitingBytes += frame.length;
    this.#timer ??= setTimeout(() => this.#flush(), gatherMs);
  }

  /** Resolves when the client has room for more, or is gone. One at a time may wait for it. */
  async drained(): Promise<void> {
    this.#flush();
    if (this.#isOver || !this.#response.writableNeedDrain) return;
    await new Promise<void>((resolve) => (this.#onRoom = resolve));
  }

  /** Writes what waits, and ends the response. */
  end(): void {
    if (this.#isOver) return;
    this.#writeFrames();
    clearInterval(this.#heartbeat);
    this.#isOver = true;
    this.#response.end();
  }

  cutOff(): void {
    this.#response.destroy();
  }

  /** Writes what waits, when the client has taken what was written before. */
  #flush(): void {
    if (!this.#isOver && !this.#response.writableNeedDrain) this.#writeFrames();
  }

  #useRoom(): void {
    this.#flush();
    if (!this.#response.writableNeedDrain) this.#onRoom();
  }

  #writeFrames(): void {
    const frames = this.#takeFrames();
    if (frames.length > 0) this.#response.write(frames.length === 1 ? frames[0] : Buffer.concat(frames));
  }

  #takeFrames(): Buffer[] {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#waitingBytes = 0;
    return this.#frames.splice(0);
  }
}
