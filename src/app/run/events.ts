import type { NumberedEvent, RunActivity, UnreadableRun } from "../../contract/api/run.ts";
import { ClewError } from "../../contract/errors.ts";
import type { EventHub, HubNews } from "./event-hub.ts";
import type { RunStore } from "./ports.ts";
import { streamOf } from "./stream.ts";

/** A run whose journal cannot be read, among the events of the others. */
interface UnreadableNote {
  unreadable: UnreadableRun;
}

type EventItem = NumberedEvent | RunActivity | UnreadableNote;

export interface WantedEvents {
  after?: number | undefined;
  live?: boolean | undefined;
  runs?: string[] | undefined;
  types?: string[] | undefined;
  activity?: boolean | undefined;
}

/** Whether an event is one of those that were asked for. */
export function isWanted({ workflow_id, type }: NumberedEvent | RunActivity, { runs, types }: WantedEvents): boolean {
  return (!runs || runs.includes(workflow_id)) && (!types || types.includes(type));
}

/** The number after which events are told; undefined for those that come alone. */
export function startOf({ after, live }: WantedEvents): number | undefined {
  return after ?? (live ? undefined : 0);
}

/** The events that are there, in the order of their numbers, after the runs whose journals cannot be read. */
export function* recordedEvents(store: RunStore, wanted: WantedEvents): Generator<EventItem> {
  const events: NumberedEvent[] = [];
  const after = startOf(wanted) ?? Infinity;
  for (const id of store.ids()) {
    try {
      for (const { line } of store.lines(id)) if ("n" in line) events.push({ ...line, workflow_id: id });
    } catch (error) {
      if (!(error instanceof ClewError)) throw error;
      yield { unreadable: { id, reason: error.message } };
    }
  }
  yield* events.filter((event) => event.n > after && isWanted(event, wanted)).sort((one, other) => one.n - other.n);
}

/** The same, and then what comes until the signal. */
export function followEvents(hub: EventHub, wanted: WantedEvents, signal?: AbortSignal): AsyncGenerator<EventItem> {
  return streamOf<EventItem, void>(async (tell, stop) => {
    const leave = await hub.listen(startOf(wanted), ({ events, activities, unreadable }: HubNews) => {
      for (const each of unreadable) tell({ unreadable: each });
      for (const event of [...events, ...(wanted.activity ? activities : [])]) if (isWanted(event, wanted)) tell(event);
    });
    try {
      await aborted(stop);
    } finally {
      leave();
    }
  }, signal);
}

async function aborted(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return;
  await new Promise<void>((resolve) => signal.addEventListener("abort", () => resolve(), { once: true }));
}
