import type { Runs } from "../../../app/runs.ts";

export type NumberedEvent = ReturnType<Runs["allEvents"]>[number];

const lookEveryMs = 500;

/** The events of all runs in the order of their numbers; with `follow`, also those that come until `signal`. */
export async function* followEvents(
  runs: Pick<Runs, "allEvents">,
  { follow, signal }: { follow: boolean; signal: AbortSignal },
): AsyncGenerator<NumberedEvent> {
  let told = 0;
  let seenBefore = 0;
  do {
    const events = runs.allEvents();
    for (const event of events) {
      if (event.n <= told) continue;
      // Journals are read one after the other, so that an event may be seen before an earlier one of another run. What
      // has a gap before it waits for the next look; a gap that is still there then will not be filled any more.
      if (follow && event.n !== told + 1 && event.n > seenBefore) break;
      told = event.n;
      yield event;
    }
    seenBefore = events.at(-1)?.n ?? 0;
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
