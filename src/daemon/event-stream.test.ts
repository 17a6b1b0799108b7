import { EventEmitter, once } from "node:events";
import { createServer, request, type IncomingMessage, type ServerResponse } from "node:http";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { gatherMs, EventStream, encodeItem } from "./event-stream.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** A response whose client takes what is written only when it is let. */
class SlowResponse extends EventEmitter {
  writes: string[] = [];
  writableLength = 0;
  destroyed = false;
  isEnded = false;
  headers: Record<string, string> = {};
  takesAll = true;

  get writableNeedDrain(): boolean {
    return this.writableLength > 0;
  }

  writeHead(_: number, headers: Record<string, string>): void {
    this.headers = headers;
  }

  flushHeaders(): void {
    return;
  }

  setTimeout(): void {
    return;
  }

  write(bytes: Buffer): void {
    this.writes.push(bytes.toString());
    if (!this.takesAll) this.writableLength += bytes.length;
  }

  end(): void {
    this.isEnded = true;
    this.emit("close");
  }

  destroy(): void {
    this.destroyed = true;
    this.emit("close");
  }

  takeAll(): void {
    this.writableLength = 0;
    this.emit("drain");
  }
}

function open(format: "events" | "lines" = "events"): { response: SlowResponse; stream: EventStream; overs: number[] } {
  const response = new SlowResponse();
  const overs: number[] = [];
  const stream = new EventStream(response as unknown as ServerResponse, format, () => overs.push(1));
  return { response, stream, overs };
}

test("D3 an event has its number, its type and one line of data", () => {
  const item = { id: 7, event: "workflow.started", data: { text: "a\nb" } };
  expect(encodeItem("events", item).toString()).toBe('id: 7\nevent: workflow.started\ndata: {"text":"a\\nb"}\n\n');
  expect(encodeItem("lines", item).toString()).toBe('{"text":"a\\nb"}\n');
});

test("D3 what comes in one moment shares a write", () => {
  const { response, stream } = open();
  for (const id of [1, 2, 3]) stream.send({ id, event: "x", data: {} });
  expect(response.writes).toEqual([]);
  vi.advanceTimersByTime(gatherMs);
  expect(response.writes).toEqual([[1, 2, 3].map((id) => `id: ${id}\nevent: x\ndata: {}\n\n`).join("")]);
});

test("D3 a silent stream of events beats, one of lines does not", () => {
  const [events, lines] = [open("events"), open("lines")];
  vi.advanceTimersByTime(31_000);
  expect(events.response.writes).toEqual([": ping\n\n", ": ping\n\n"]);
  expect(lines.response.writes).toEqual([]);
  events.response.destroy();
  vi.advanceTimersByTime(60_000);
  expect(events.response.writes).toHaveLength(2);
  expect(vi.getTimerCount()).toBe(0);
});

test("D3 a client that does not read is cut off when four megabytes wait behind what it has not taken", () => {
  const { response, stream, overs } = open();
  response.takesAll = false;
  const frame = Buffer.alloc(1024 * 1024);
  for (let at = 0; at < 6; at++) {
    stream.write(frame);
    vi.advanceTimersByTime(gatherMs);
  }
  expect([response.destroyed, overs]).toEqual([false, []]);
  stream.write(frame);
  vi.advanceTimersByTime(gatherMs);
  expect([response.destroyed, stream.isOver, overs]).toEqual([true, true, [1]]);
});

test("D3 a client that reads gets an event of any size, and what comes right after it", () => {
  const { response, stream, overs } = open();
  response.takesAll = false;
  stream.write(Buffer.alloc(10 * 1024 * 1024, "a"));
  vi.advanceTimersByTime(gatherMs);
  stream.write(Buffer.alloc(5 * 1024 * 1024, "b"));
  vi.advanceTimersByTime(gatherMs);
  expect(response.writes.map((text) => text[0])).toEqual(["a"]);
  response.takeAll();
  expect(response.writes.map((text) => text[0])).toEqual(["a", "b"]);
  // A burst within one moment.
  response.takeAll();
  for (let at = 0; at < 8; at++) stream.write(Buffer.alloc(1024 * 1024, "c"));
  vi.advanceTimersByTime(gatherMs);
  expect([response.writes.map(({ length }) => length).at(-1), overs]).toEqual([8 * 1024 * 1024, []]);
});

test("D3 one waits for room without leaving listeners behind, and no longer than the client is there", async () => {
  const { response, stream } = open();
  response.takesAll = false;
  const count = response.listenerCount("close") + response.listenerCount("drain");
  for (let at = 0; at < 20; at++) {
    stream.write(Buffer.from("x"));
    const drained = stream.drained();
    response.takeAll();
    await drained;
  }
  expect(response.listenerCount("close") + response.listenerCount("drain")).toBe(count);
  stream.write(Buffer.from("x"));
  const drained = stream.drained();
  response.destroy();
  await drained;
});

test("D3 what waits is written before the end; a client that has gone before is none", () => {
  const { response, stream, overs } = open("lines");
  stream.send({ event: "x", data: 1 });
  stream.end();
  stream.send({ event: "x", data: 2 });
  vi.advanceTimersByTime(100);
  expect([response.writes, response.isEnded, overs]).toEqual([["1\n"], true, [1]]);
  const gone = new SlowResponse();
  gone.destroyed = true;
  let goneOvers = 0;
  expect(new EventStream(gone as unknown as ServerResponse, "events", () => (goneOvers += 1)).isOver).toBe(true);
  expect([goneOvers, vi.getTimerCount()]).toEqual([1, 0]);
});

test("D3 a client that takes nothing for long is cut off; one that is only quiet, or takes what comes, is not", async () => {
  vi.useRealTimers();
  const folder = mkdtempSync(join(tmpdir(), "clew-stream-"));
  const socketPath = join(folder, "socket");
  const streams: EventStream[] = [];
  const server = createServer((_, response) => {
    streams.push(new EventStream(response, "events", () => undefined, 200));
  });
  const connect = async (): Promise<IncomingMessage> => {
    const asking = request({ socketPath, agent: false });
    asking.end();
    const [response] = (await once(asking, "response")) as [IncomingMessage];
    return response.on("error", () => undefined);
  };
  try {
    await once(server.listen(socketPath), "listening");
    await connect();
    for (const response of [await connect(), await connect()]) response.resume();
    const [deaf, quiet, busy] = streams as [EventStream, EventStream, EventStream];
    // More than the system keeps for a client, and less than may wait for it.
    for (const stream of [deaf, busy]) stream.write(Buffer.alloc(3 * 1024 * 1024, "x"));
    await vi.waitUntil(() => deaf.isOver, { timeout: 10_000 });
    expect([quiet.isOver, busy.isOver]).toEqual([false, false]);
  } finally {
    server.closeAllConnections();
    server.close();
    rmSync(folder, { recursive: true, force: true });
  }
});
