import type { IncomingMessage, ServerResponse } from "node:http";
import { ClewError } from "../contract/errors.ts";
import { openStream, type Call } from "./call.ts";
import { EventStream, heartbeatMs, streamHeaders, type StreamFormat } from "./event-stream.ts";
import { LinePlaces, readLinePlace, type LinePlace } from "./line-places.ts";
import { OpenStreams, type StreamClient } from "./open-streams.ts";
import type { DaemonParts } from "./parts.ts";
import type { RouteEntry } from "./route-table.ts";
import { streamRunEvents } from "./run-events.ts";

interface Exchange {
  request: IncomingMessage;
  response: ServerResponse;
  client: StreamClient;
  /** Aborted when the daemon ends. */
  signal: AbortSignal;
  /** Whether the token that it was opened with still counts. */
  mayGoOn: () => boolean;
}

/** The streams of a daemon. */
export class Streams {
  readonly #parts: DaemonParts;
  readonly #open = new OpenStreams();

  constructor(parts: DaemonParts) {
    this.#parts = parts;
  }

  get open(): number {
    return this.#open.count;
  }

  /** Sends what an operation tells, as Server-Sent Events or as lines of JSON. Rejects when it is refused, or breaks off. */
  async stream(call: Call, { request, response, client, signal: ending, mayGoOn }: Exchange): Promise<void> {
    const format = formatOf(request.headers.accept, call.entry);
    if (request.method === "HEAD") return void response.writeHead(200, streamHeaders(format)).end();
    if (response.destroyed) return;
    this.#open.add(client, response);
    const given = lastEventId(request.headers["last-event-id"], call.entry);
    const asked: Record<string, unknown> = { ...(call.request as object), ...(given && { after: given.after }) };
    const signal = endSignal(response, ending, mayGoOn);
    const isFollowed = asked["follow"] ?? (format === "events" || asked["live"] === true);
    if (call.entry.name === "runs.events" && isFollowed) {
      const runs = await this.#findRuns(call, asked["runs"] as string[] | undefined);
      await streamRunEvents(this.#parts, { ...asked, runs }, { response, format, signal });
    } else await streamItems(this.#parts, { ...call, request: asked }, { response, format, signal, known: given });
  }

  /** The ids of runs, however they were named. Throws when there is none of a name. */
  async #findRuns({ asker }: Call, names: string[] | undefined): Promise<string[] | undefined> {
    if (!names) return undefined;
    const { api, close } = this.#parts.openOperations(asker);
    try {
      return await Promise.all(names.map(async (run) => (await api.runs.find({ run })).run_id));
    } finally {
      await close();
    }
  }
}

/** Aborted when the daemon ends, or when a stream may not go on: that is looked at with each heartbeat. */
function endSignal(response: ServerResponse, ending: AbortSignal, mayGoOn: () => boolean): AbortSignal {
  const end = new AbortController();
  const abort = (): void => end.abort();
  ending.addEventListener("abort", abort, { once: true });
  const looking = setInterval(() => {
    if (!mayGoOn()) abort();
  }, heartbeatMs);
  response.once("close", () => {
    clearInterval(looking);
    ending.removeEventListener("abort", abort);
  });
  return end.signal;
}

/** What one operation tells, for this client alone. */
async function streamItems(
  parts: DaemonParts,
  call: Call,
  {
    response,
    format,
    signal,
    known,
  }: { response: ServerResponse; format: StreamFormat; signal: AbortSignal; known: LinePlace | undefined },
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
    const idOf = idsOf(call, known);
    for await (const item of items as AsyncIterable<Record<string, unknown>>) {
      const id = idOf(item);
      if (id === "known") continue;
      stream.send({ ...(id !== undefined && { id }), event: eventOf(call.entry, item), data: item });
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

/** Where a client was cut off: it goes before where it once began. Only lines of a journal stand behind an event. */
function lastEventId(header: string | string[] | undefined, { name }: RouteEntry): LinePlace | undefined {
  if (header === undefined || header === "") return undefined;
  const place = typeof header === "string" ? readLinePlace(header) : undefined;
  if (place && (place.behind === 0 || name === "runs.lines")) return place;
  throw new ClewError("usage", "the Last-Event-ID is none of this daemon's", "leave it out to begin anew");
}

/** Where a client goes on after an item; `known` for one that it has already. */
function idsOf(
  { entry, request }: Call,
  known: LinePlace | undefined,
): (item: Record<string, unknown>) => number | string | undefined {
  const numberIn = ({ n }: Record<string, unknown>): number | undefined => (typeof n === "number" ? n : undefined);
  if (entry.name !== "runs.lines") return numberIn;
  const first = (request as { after?: number }).after ?? 0;
  const places = new LinePlaces(first);
  return (item) => {
    const { after, behind } = places.next(numberIn(item));
    if (after === known?.after && behind <= known.behind) return "known";
    return behind === 0 ? after : `${after}.${behind}`;
  };
}

function eventOf({ name }: RouteEntry, item: Record<string, unknown>): string {
  if (name === "sessions.follow") return "entry" in item ? "entry" : "phase";
  const { type } = item;
  return typeof type === "string" ? type : "unreadable";
}
