import type { NumberedEvent, RunActivity, UnreadableRun } from "../../contract/api/run.ts";
import { ClewError } from "../../contract/errors.ts";
import { noSuchEvent, type EventHub, type HubStart } from "./event-hub.ts";
import type { EventNews } from "./event-tail.ts";
import type { RunStore } from "./ports.ts";

/** A run whose journal cannot be read, among the events of the others. */
interface UnreadableNote {
  unreadable: UnreadableRun;
}

export type EventItem = NumberedEvent | RunActivity | UnreadableNote;

export interface EventFilter {
  after?: number | undefined;
  live?: boolean | undefined;
  runs?: string[] | undefined;
  types?: string[] | undefined;
  activity?: boolean | undefined;
}

/** Where a listener begins that wants these. */
export function startOf({ after, live, runs }: EventFilter): HubStart {
  return { after: after ?? (live ? undefined : 0), runs };
}

/** What is wanted of some news. */
export function* filterItems({ events, activities, unreadable }: EventNews, wanted: EventFilter): Generator<EventItem> {
  for (const each of unreadable) if (!wanted.runs || wanted.runs.includes(each.id)) yield { unreadable: each };
  for (const event of events) if (isWanted(event, wanted)) yield event;
  if (!wanted.activity) return;
  for (const activity of activities) if (isWanted(activity, wanted)) yield activity;
}

function isWanted({ workflow_id, type }: NumberedEvent | RunActivity, { runs, types }: EventFilter): boolean {
  return (!runs || runs.includes(workflow_id)) && (!types || types.includes(type));
}

/**
 * The events that are there, in the order of their numbers, after the runs whose journals cannot be read. Throws `gone` when there
 * was never an event of the number that they are to follow.
 */
export function recordedEvents(store: RunStore, wanted: EventFilter): Iterable<EventItem> {
  const events: NumberedEvent[] = [];
  const unreadable: UnreadableRun[] = [];
  const { after = Infinity } = startOf(wanted);
  let last = 0;
  for (const id of store.ids()) {
    try {
      const { n } = store.journalEnd(id);
      last = Math.max(last, n);
      if (n <= after || (wanted.runs && !wanted.runs.includes(id))) continue;
      for (const { line } of store.lines(id)) if ("n" in line) events.push({ ...line, workflow_id: id });
    } catch (error) {
      if (!(error instanceof ClewError)) throw error;
      unreadable.push({ id, reason: error.message });
    }
  }
  if (wanted.after !== undefined && wanted.after > last) throw noSuchEvent(wanted.after);
  const later = events.filter(({ n }) => n > after).sort((one, other) => one.n - other.n);
  return filterItems({ events: later, activities: [], unreadable }, wanted);
}

/** The same, and then what comes until the signal. Resolves once nothing is refused any more. */
export async function followEvents(
  hub: EventHub,
  wanted: EventFilter,
  signal?: AbortSignal,
): Promise<AsyncGenerator<EventItem>> {
  const waiting: EventNews[] = [];
  let wake = (): void => undefined;
  const { earlier, leave } = await hub.listen(startOf(wanted), (news) => {
    waiting.push(news);
    wake();
  });
  signal?.addEventListener("abort", () => (leave(), wake()), { once: true });
  const isStopped = (): boolean => signal?.aborted ?? false;
  return (async function* () {
    try {
      for await (const news of earlier) yield* filterItems(news, wanted);
      while (!isStopped()) {
        for (const news of waiting.splice(0)) yield* filterItems(news, wanted);
        if (waiting.length === 0 && !isStopped()) await new Promise<void>((resolve) => (wake = resolve));
      }
    } finally {
      leave();
    }
  })();
}
