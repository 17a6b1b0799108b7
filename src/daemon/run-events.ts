import type { ServerResponse } from "node:http";
import type { EventNews } from "../app/run/event-tail.ts";
import { startOf, wantedItems, type EventItem, type WantedEvents } from "../app/run/events.ts";
import { EventStream, encodeItem, type StreamFormat } from "./event-stream.ts";
import type { DaemonParts } from "./parts.ts";

/** So much of what comes waits for a client that takes in what came before. One that is slower is cut off. */
const maxWaitingItems = 50_000;

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
  wanted: WantedEvents,
  { response, format, signal }: Exchange,
): Promise<void> {
  const hub = await parts.eventHub();
  const opened: { stream?: EventStream } = {};
  /** What came and is not yet written, while the client takes in what came before. */
  let waiting: EventNews[] | undefined = [];
  let waitingItems = 0;
  const write = (news: EventNews): void => {
    for (const item of wantedItems(news, wanted)) opened.stream?.write(frameOf(item, format));
  };
  const start = startOf(wanted);
  const { earlier, last, leave } = await hub.listen(start, (news) => {
    if (!waiting) return write(news);
    waiting.push(news);
    waitingItems += news.events.length + news.activities.length;
    if (waitingItems > maxWaitingItems) opened.stream?.cutOff();
  });
  const stream = (opened.stream = new EventStream(response, format, leave));
  const onEnd = (): void => stream.end();
  signal.addEventListener("abort", onEnd, { once: true });
  response.once("close", () => signal.removeEventListener("abort", onEnd));
  // One that is cut off before the first event comes back here, and misses nothing.
  if (start.after === undefined && format === "events") stream.send({ id: last, event: "start", data: {} });
  for await (const news of earlier) {
    write(news);
    await stream.drained();
    if (stream.isOver) return;
  }
  // Nothing waits between the last of these and what comes then.
  for (let news = waiting.shift(); news && !stream.isOver; news = waiting.shift()) {
    write(news);
    await stream.drained();
  }
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
