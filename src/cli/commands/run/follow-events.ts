import type { NumberedEvent } from "../../../app/run-reading.ts";

const lookEveryMs = 500;

/** The events of all runs in the order of their numbers; with `follow`, also those that come until `signal`. */
export async function* followEvents(
  readNew: () => NumberedEvent[],
  { follow, signal }: { follow: boolean; signal: AbortSignal },
): AsyncGenerator<NumberedEvent> {
  let told = 0;
  let seenBefore = 0;
  let waiting: NumberedEvent[] = [];
  do {
    waiting = [...waiting, ...readNew()].sort((one, other) => one.n - other.n);
    // Journals are read one after the other, so that an event may be seen before an earlier one of another run. What has
    // a gap before it waits for the next look; a gap that is still there then will not be filled any more.
    const look = waiting;
    waiting = [];
    for (const event of look) {
      const isDue = !follow || event.n <= told + 1 || event.n <= seenBefore;
      if (waiting.length > 0 || !isDue) waiting.push(event);
      else {
        told = event.n;
        yield event;
      }
    }
    seenBefore = waiting.at(-1)?.n ?? told;
    if (!follow) return;
  } while (await pause(signal));
}

/** False when there is nothing more to wait for. */
function pause(signal: AbortSignal): Promise<boolean> {
  if (signal.aborted) return Promise.resolve(false);
  return new Promise((resolve) => {
    const done = (): void => {
      clearTimeout(timer);
      signal.removeEventListener("abort", done);
      resolve(!signal.aborted);
    };
    const timer = setTimeout(done, lookEveryMs);
    signal.addEventListener("abort", done);
  });
}
