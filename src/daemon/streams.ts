import type { IncomingMessage, ServerResponse } from "node:http";
import { ClewError } from "../contract/errors.ts";
import { openStream, type Call } from "./call.ts";
import { EventStream, streamHeaders, type StreamedItem, type StreamFormat } from "./event-stream.ts";
import type { DaemonParts } from "./parts.ts";
import type { RouteEntry } from "./route-table.ts";
import { streamRunEvents } from "./run-events.ts";

interface Exchange {
  request: IncomingMessage;
  response: ServerResponse;
  /** Aborted when the daemon ends. */
  signal: AbortSignal;
}

/** Streams that may be open at once. */
const maxStreams = 256;

/** The streams of a daemon. */
export class Streams {
  readonly #parts: DaemonParts;
  #open = 0;

  constructor(parts: DaemonParts) {
    this.#parts = parts;
  }

  get open(): number {
    return this.#open;
  }

  /** Sends what an operation tells, as Server-Sent Events or as lines of JSON. Rejects when it is refused, or breaks off. */
  async stream(call: Call, { request, response, signal }: Exchange): Promise<void> {
    const format = formatOf(request.headers.accept, call.entry);
    if (request.method === "HEAD") return void response.writeHead(200, streamHeaders(format)).end();
    if (this.#open >= maxStreams) throw tooMany();
    if (response.destroyed) return;
    this.#open += 1;
    response.once("close", () => (this.#open -= 1));
    const asked = withLastEventId(call.request as Record<string, unknown>, request.headers["last-event-id"]);
    const isFollowed = format === "events" ? asked["follow"] !== false : asked["follow"] === true;
    if (call.entry.name === "runs.events" && isFollowed) {
      await streamRunEvents(this.#parts, asked, { response, format, signal });
    } else await streamItems(this.#parts, { ...call, request: asked }, { response, format, signal });
  }
}

function tooMany(): ClewError {
  const hint = "close one, or follow several runs by one: GET /events?runs=ONE&runs=OTHER";
  return new ClewError("too_many_requests", `${maxStreams} streams are open already`, hint);
}

/** What one operation tells, for this client alone. */
async function streamItems(
  parts: DaemonParts,
  call: Call,
  { response, format, signal }: { response: ServerResponse; format: StreamFormat; signal: AbortSignal },
): Promise<void> {
  const left = new AbortController();
  const leave = (): void => left.abort();
  response.once("close", leave);
  signal.addEventListener("abort", leave, { once: true });
  // What is refused is refused before the first byte.
  const { items, close } = await openStream(parts, call, left.signal).catch((error: unknown) => {
    signal.removeEventListener("abort", leave);
    throw error;
  });
  try {
    const stream = new EventStream(response, format, leave);
    left.signal.addEventListener("abort", () => stream.end(), { once: true });
    for await (const item of items) {
      stream.send(streamedItem(call.entry, item as Record<string, unknown>));
      await stream.drained();
      if (stream.isOver) return;
    }
    if (format === "events" && !signal.aborted) stream.send({ event: "end", data: {} });
    stream.end();
  } finally {
    signal.removeEventListener("abort", leave);
    left.abort();
    await close();
  }
}

/** A journal is lines unless events are asked for; all else is events unless lines are. */
function formatOf(accept: string | undefined, { name }: RouteEntry): StreamFormat {
  if (accept?.includes("text/event-stream")) return "events";
  return name === "runs.lines" || accept?.includes("application/x-ndjson") ? "lines" : "events";
}

/** Where a client was cut off goes before where it once began. */
function withLastEventId(
  request: Record<string, unknown>,
  header: string | string[] | undefined,
): Record<string, unknown> {
  if (header === undefined || header === "") return request;
  if (typeof header !== "string" || !/^\d{1,15}$/.test(header)) {
    throw new ClewError("usage", "the Last-Event-ID is none of this daemon's", "leave it out to begin anew");
  }
  return { ...request, after: Number(header) };
}

function streamedItem({ name }: RouteEntry, item: Record<string, unknown>): StreamedItem {
  const id = typeof item["n"] === "number" ? { id: item["n"] } : {};
  const type = item["type"];
  if (name === "sessions.follow") return { ...id, event: "entry" in item ? "entry" : "phase", data: item };
  return { ...id, event: typeof type === "string" ? type : "unreadable", data: item };
}
