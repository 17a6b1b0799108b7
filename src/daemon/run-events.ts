import type { ServerResponse } from "node:http";
import type { HubNews } from "../app/run/event-hub.ts";
import { isWanted, startOf, type WantedEvents } from "../app/run/events.ts";
import type { NumberedEvent, RunActivity } from "../contract/api/run.ts";
import { EventStream, encodeEvent } from "./event-stream.ts";
import type { DaemonParts } from "./parts.ts";

/** After so many, a client gets time to read. */
const eventsAtOnce = 200;
const nothing: HubNews = { events: [], activities: [], unreadable: [] };
/** Frames are made once for all who listen. */
const frames = new WeakMap<NumberedEvent | RunActivity, Buffer>();

/** Sends the events of all runs: those after a number, then those that come. */
export async function streamRunEvents(
  parts: Pick<DaemonParts, "eventHub">,
  wanted: WantedEvents,
  { response, signal }: { response: ServerResponse; signal: AbortSignal },
): Promise<void> {
  const hub = await parts.eventHub();
  /** What was told and not yet written, while the client takes in what was before. */
  let waiting: HubNews[] | undefined = [];
  let stream: EventStream | undefined;
  const write = ({ events, activities, unreadable }: HubNews): void => {
    for (const each of unreadable) stream!.write(encodeEvent({ event: "unreadable", data: { unreadable: each } }));
    for (const item of [...events, ...(wanted.activity ? activities : [])]) {
      if (isWanted(item, wanted)) stream!.write(frameOf(item));
    }
  };
  // What is refused is refused before the first byte.
  const leave = await hub.listen(startOf(wanted), (news) => (waiting ? void waiting.push(news) : write(news)));
  if (response.destroyed) return leave();
  stream = new EventStream(response, leave);
  signal.addEventListener("abort", () => stream.end(), { once: true });
  for (let news = waiting.shift(); news && !stream.isOver; news = waiting.shift()) {
    for (let at = 0; at === 0 || at < news.events.length; at += eventsAtOnce) {
      const { activities, unreadable } = at === 0 ? news : nothing;
      write({ events: news.events.slice(at, at + eventsAtOnce), activities, unreadable });
      await stream.drained();
    }
  }
  waiting = undefined;
}

function frameOf(item: NumberedEvent | RunActivity): Buffer {
  const known = frames.get(item);
  if (known) return known;
  const frame = encodeEvent({ ...("n" in item && { id: item.n }), event: item.type, data: item });
  frames.set(item, frame);
  return frame;
}
