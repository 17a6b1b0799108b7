import { EventEmitter } from "node:events";
import type { ServerResponse } from "node:http";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { EventStream, encodeItem } from "./event-stream.ts";

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
  vi.advanceTimersByTime(10);
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

test("D3 a client that does not read is cut off at four megabytes", () => {
  const { response, stream, overs } = open();
  response.takesAll = false;
  const frame = Buffer.alloc(1024 * 1024);
  for (let at = 0; at < 4; at++) {
    stream.write(frame);
    vi.advanceTimersByTime(10);
  }
  expect([response.destroyed, overs]).toEqual([false, []]);
  stream.write(frame);
  vi.advanceTimersByTime(10);
  expect([response.destroyed, stream.isOver, overs]).toEqual([true, true, [1]]);
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
