import type { IncomingMessage, ServerResponse } from "node:http";
import { ClewError } from "../contract/errors.ts";
import { openStream, type Call } from "./call.ts";
import { EventStream, encodeEvent, type StreamedEvent } from "./event-stream.ts";
import type { DaemonParts } from "./parts.ts";
import type { RouteEntry } from "./route-table.ts";
import { streamRunEvents } from "./run-events.ts";

interface Exchange {
  request: IncomingMessage;
  response: ServerResponse;
  /** Aborted when the daemon ends. */
  signal: AbortSignal;
}

/** Sends what an operation tells, as Server-Sent Events or as lines of JSON. Throws only before the first byte is sent. */
export async function streamOperation(
  parts: DaemonParts,
  call: Call,
  { request, response, signal }: Exchange,
): Promise<void> {
  const { entry } = call;
  const asked = withLastEventId(call.request as Record<string, unknown>, request.headers["last-event-id"]);
  const left = new AbortController();
  const stop = AbortSignal.any([signal, left.signal]);
  const wantsEvents = wantsEventStream(request.headers.accept, entry);
  if (entry.name === "runs.events" && wantsEvents && asked["follow"] !== false) {
    return streamRunEvents(parts, asked, { response, signal });
  }
  response.once("close", () => left.abort());
  // What is refused is refused before the first byte.
  const { items, close } = await openStream(parts, { ...call, request: asked }, stop);
  try {
    if (wantsEvents) {
      const stream = new EventStream(response, () => left.abort());
      stop.addEventListener("abort", () => stream.end());
      for await (const item of items) {
        stream.write(encodeEvent(eventOf(entry, item as Record<string, unknown>)));
        await stream.drained();
        if (stream.isOver) return;
      }
      if (!signal.aborted) stream.write(encodeEvent({ event: "end", data: {} }));
      stream.end();
      return;
    }
    response.writeHead(200, { "content-type": "application/x-ndjson; charset=utf-8", "cache-control": "no-store" });
    for await (const item of items) {
      if (!response.write(`${JSON.stringify(item)}\n`)) await drained(response);
      if (response.destroyed) return;
    }
    response.end();
  } finally {
    left.abort();
    await close();
  }
}

/** A journal is lines unless events are asked for; all else is events unless lines are. */
function wantsEventStream(accept: string | undefined, { name }: RouteEntry): boolean {
  if (accept?.includes("text/event-stream")) return true;
  return name !== "runs.lines" && !accept?.includes("application/x-ndjson");
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

function eventOf({ name }: RouteEntry, item: Record<string, unknown>): StreamedEvent {
  const id = typeof item["n"] === "number" ? { id: item["n"] } : {};
  const type = item["type"];
  if (name === "sessions.follow") return { ...id, event: "entry" in item ? "entry" : "phase", data: item };
  return { ...id, event: typeof type === "string" ? type : "unreadable", data: item };
}

async function drained(response: ServerResponse): Promise<void> {
  await new Promise<void>((resolve) => {
    response.once("drain", resolve);
    response.once("close", resolve);
  });
}
