import type { NumberedEvent, UnreadableRun } from "../../contract/api/run.ts";
import { ClewError } from "../../contract/errors.ts";
import type { RunStore } from "./ports.ts";

const lookEveryMs = 500;

/** A run whose journal cannot be read, among the events of the others. */
export interface UnreadableNote {
  unreadable: UnreadableRun;
}

interface Wanted {
  follow?: boolean | undefined;
  /** Only events with greater numbers. */
  after?: number | undefined;
  signal?: AbortSignal | undefined;
  sleep: (ms: number, signal?: AbortSignal) => Promise<void>;
}

/** The events of all runs in the order of their numbers; with `follow`, also those that come until `signal`. */
export async function* followEvents(
  readNew: () => (NumberedEvent | UnreadableNote)[],
  { follow = false, after = 0, signal, sleep }: Wanted,
): AsyncGenerator<NumberedEvent | UnreadableNote> {
  let last = after;
  let seenBefore = 0;
  let delayed: NumberedEvent[] = [];
  for (;;) {
    const look: NumberedEvent[] = delayed;
    for (const item of readNew()) {
      if ("unreadable" in item) yield item;
      else if (item.n > after) look.push(item);
    }
    look.sort((one, other) => one.n - other.n);
    // Journals are read one after the other, so that an event may be seen before an earlier one of another run. What has
    // a gap before it waits for the next look; a gap that is still there then will not be filled any more.
    delayed = [];
    for (const event of look) {
      const isDue = !follow || event.n <= last + 1 || event.n <= seenBefore;
      if (delayed.length > 0 || !isDue) delayed.push(event);
      else {
        last = event.n;
        yield event;
      }
    }
    seenBefore = delayed.at(-1)?.n ?? last;
    if (!follow || signal?.aborted) return;
    await sleep(lookEveryMs, signal);
    if (signal?.aborted) return;
  }
}

/**
 * Gives a function that reads the events of all runs: all of them at first, then those that came since. A journal that cannot
 * be read is reported once; the others are read all the same.
 */
export function eventReader(store: RunStore): () => (NumberedEvent | UnreadableNote)[] {
  const ends = new Map<string, number>();
  const unreadable = new Set<string>();
  return () => {
    const events: (NumberedEvent | UnreadableNote)[] = [];
    for (const id of store.ids()) {
      if (unreadable.has(id)) continue;
      try {
        for (const { line, end } of store.lines(id, ends.get(id))) {
          ends.set(id, end);
          if ("n" in line) events.push({ ...line, workflow_id: id });
        }
      } catch (error) {
        if (!(error instanceof ClewError)) throw error;
        unreadable.add(id);
        events.push({ unreadable: { id, reason: error.message } });
      }
    }
    return events;
  };
}
