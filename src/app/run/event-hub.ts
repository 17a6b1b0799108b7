import { ClewError } from "../../contract/errors.ts";
import { EventTail, type EventNews, type NewsListener, type TailParts } from "./event-tail.ts";
import type { JournalEnd } from "./ports.ts";

/** Where a listener begins: after a number, or with what comes. */
export interface HubStart {
  after: number | undefined;
  /** Only these runs are of interest. What comes is told of all. */
  runs?: readonly string[] | undefined;
}

export interface Listening {
  /** What came before and was asked for, some at a time. All that comes is told to the listener meanwhile, and is later. */
  earlier: AsyncIterable<EventNews>;
  /** The number of the last event that is not told to the listener. */
  last: number;
  leave: () => void;
}

/** The events of all runs, read once for all listeners. Only journals that change are read, and none while no one listens. */
export class EventHub {
  readonly #parts: TailParts;
  readonly #listeners = new Set<NewsListener>();
  /** What is known of journals that are over: no more is written to them. */
  readonly #overEnds = new Map<string, JournalEnd>();
  #tail: EventTail | undefined;

  constructor(parts: TailParts) {
    this.#parts = parts;
  }

  get listeners(): number {
    return this.#listeners.size;
  }

  /** Throws `gone` when there was never an event of this number. */
  async listen({ after, runs }: HubStart, listener: NewsListener): Promise<Listening> {
    const tail = (this.#tail ??= this.#startTail());
    let hasBegun = false;
    const relay = (news: EventNews): void => (hasBegun ? listener(news) : undefined);
    const leave = (): void => {
      if (!this.#listeners.delete(relay) || this.#listeners.size > 0) return;
      this.#tail?.end();
      this.#tail = undefined;
    };
    this.#listeners.add(relay);
    try {
      await tail.ready;
      // The one who asks may know of an event that was not seen here yet: it is there by now, or never was.
      if (after !== undefined && after > tail.last) tail.lookAtAll();
      if (after !== undefined && after > tail.last) throw noSuchEvent(after);
    } catch (error) {
      leave();
      throw error;
    }
    hasBegun = true;
    const { last } = tail;
    return { earlier: tail.earlier({ after: after ?? last, last, runs }), last, leave };
  }

  #startTail(): EventTail {
    return new EventTail(this.#parts, this.#overEnds, (news) => {
      for (const listener of this.#listeners) listener(news);
    });
  }
}

export function noSuchEvent(n: number): ClewError {
  return new ClewError("gone", `there is no event ${n}`, "begin anew, without a number");
}
