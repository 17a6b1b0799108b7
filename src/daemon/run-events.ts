import type { ServerResponse } from "node:http";
import { startOf, filterItems, type EventItem, type EventFilter } from "../app/run/events.ts";
import { EventStream, encodeItem, type StreamFormat } from "./event-stream.ts";
import type { DaemonParts } from "./parts.ts";

/** So much of what comes waits for a client that takes in what came before. One that is slower is cut off. */
const maxWaitingItems = 50_000;

/** So much of what came before is written before the client's room is waited for: it is its pace that counts. */
const chunkBytes = 256 * 1024;
/** So much of what waits is taken to be written at once; the rest counts as waiting. */
const chunkItems = 200;

/** Frames are made once for all who listen. */
const frames = { events: new WeakMap<EventItem, Buffer>(), lines: new WeakMap<EventItem, Buffer>() };

interface Exchange {
  response: ServerResponse;
  format: StreamFormat;
  /** Aborted when the daemon ends. */
  signal: AbortSignal;
}

/** Sends the events of all runs: those after a number, then those that come. Throws only before the first byte is sent. */
export async function streamRunEvents(
  parts: Pick<DaemonParts, "eventHub">,
  wanted: EventFilter,
  { response, format, signal }: Exchange,
): Promise<void> {
  const hub = await parts.eventHub();
  const opened: { stream?: EventStream } = {};
  /** What came and is not yet written, while the client takes in what came before. */
  let waiting: EventItem[] | undefined = [];
  const start = startOf(wanted);
  const { earlier, last, leave } = await hub.listen(start, (news) => {
    for (const item of filterItems(news, wanted)) {
      if (waiting) waiting.push(item);
      else opened.stream?.write(frameOf(item, format));
    }
    if (waiting && waiting.length > maxWaitingItems) opened.stream?.cutOff();
  });
  const stream = (opened.stream = new EventStream(response, format, leave));
  const onEnd = (): void => stream.end();
  signal.addEventListener("abort", onEnd, { once: true });
  response.once("close", () => signal.removeEventListener("abort", onEnd));
  /** As fast as the client takes it. */
  const writeInPace = async (items: Iterable<EventItem>): Promise<void> => {
    let bytes = 0;
    for (const item of items) {
      const frame = frameOf(item, format);
      stream.write(frame);
      bytes += frame.length;
      if (bytes < chunkBytes) continue;
      await stream.drained();
      if (stream.isOver) return;
      bytes = 0;
    }
    await stream.drained();
  };
  // One that is cut off before the first event comes back here, and misses nothing.
  if (start.after === undefined) stream.send({ id: last, event: "start", data: { type: "start", n: last } });
  for await (const news of earlier) {
    await writeInPace(filterItems(news, wanted));
    if (stream.isOver) return;
  }
  // Nothing waits between the last of these and what comes then.
  while (waiting.length > 0 && !stream.isOver) await writeInPace(waiting.splice(0, chunkItems));
  waiting = undefined;
}

function frameOf(item: EventItem, format: StreamFormat): Buffer {
  const known = frames[format].get(item);
  if (known) return known;
  const event = "unreadable" in item ? "unreadable" : item.type;
  const frame = encodeItem(format, { ...("n" in item && { id: item.n }), event, data: item });
  frames[format].set(item, frame);
  return frame;
}
