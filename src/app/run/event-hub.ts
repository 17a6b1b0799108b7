import type { NumberedEvent, RunActivity, UnreadableRun } from "../../contract/api/run.ts";
import { ClewError } from "../../contract/errors.ts";
import type { JournalLine } from "../../contract/run-journal.ts";
import { EventOrder } from "./event-order.ts";
import type { RunStore } from "./ports.ts";

/** What is told at once: events in the order of their numbers. */
export interface HubNews {
  events: readonly NumberedEvent[];
  activities: readonly RunActivity[];
  /** Runs whose journals cannot be read, once. */
  unreadable: readonly UnreadableRun[];
}

export type HubListener = (news: HubNews) => void;

/** Tells which journals are written to. */
export interface JournalWatch {
  /** Runs whose journals changed since the last call. */
  take(): string[];
  /** Resolves when one changes, when the time has passed, or at the signal. */
  wait(ms: number, signal: AbortSignal): Promise<void>;
  close(): void;
}

interface Parts {
  store: RunStore;
  watch: () => JournalWatch;
  /** Lets others go on for a moment. */
  giveWay: () => Promise<void>;
}

/** So many of the last events are kept, for listeners that were away for a moment. */
const maxKept = 2_000;
/** An event that an earlier one is missing before is told after this time. */
const gapMs = 100;
/** Should the system not tell of a change, it is seen after this time. */
const lookEveryMs = 5_000;

/** The events of all runs, read once for all listeners. Only journals that change are read, and none while no one listens. */
export class EventHub {
  readonly #parts: Parts;
  readonly #listeners = new Set<HubListener>();
  #tail: Tail | undefined;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  get listeners(): number {
    return this.#listeners.size;
  }

  /**
   * Tells all events after a number, then those that come; without a number, only those. Resolves with the function that ends
   * it, once all earlier events are told. Throws `gone` when there was never an event of this number.
   */
  async listen(after: number | undefined, listener: HubListener): Promise<() => void> {
    this.#tail ??= this.#startTail();
    let waiting: HubNews[] | undefined = [];
    const relay = (news: HubNews): void => void (waiting ? waiting.push(news) : listener(news));
    const leave = (): void => {
      this.#listeners.delete(relay);
      if (this.#listeners.size > 0) return;
      this.#tail?.end();
      this.#tail = undefined;
    };
    this.#listeners.add(relay);
    try {
      const unreadable = [...this.#tail.unreadable];
      const events = after === undefined ? [] : await this.#tail.earlier(after);
      if (events.length + unreadable.length > 0) listener({ events, activities: [], unreadable });
      for (const news of waiting) listener(news);
      waiting = undefined;
      return leave;
    } catch (error) {
      leave();
      throw error;
    }
  }

  #startTail(): Tail {
    return new Tail(this.#parts, (news) => {
      for (const listener of this.#listeners) listener(news);
    });
  }
}

/** What is read of the journals from now on, and what stood there before. */
class Tail {
  readonly #parts: Parts;
  readonly #tell: HubListener;
  /** How far each journal was read. */
  readonly #ends = new Map<string, number>();
  readonly #order = new EventOrder<NumberedEvent>(0);
  readonly #stop = new AbortController();
  /** How far each journal was read when `#recent` began: every event stands before that place, or was or will be told. */
  #pastEnds: ReadonlyMap<string, number>;
  /** The last events before that place, once they were asked for. */
  #past: Promise<Past> | undefined;
  /** What was told since. */
  #recent: NumberedEvent[] = [];
  readonly #unreadable = new Map<string, UnreadableRun>();

  constructor(parts: Parts, tell: HubListener) {
    this.#parts = parts;
    this.#tell = tell;
    const { store } = parts;
    // First the watch: what is written while the ends are looked for is seen by it.
    const watch = parts.watch();
    const ended = store.ended();
    for (const id of store.ids()) {
      this.#ends.set(id, ended.get(id)?.journal_bytes ?? 0);
      this.#readNew(id, () => undefined);
    }
    this.#pastEnds = new Map(this.#ends);
    void this.#follow(watch);
  }

  end(): void {
    this.#stop.abort();
  }

  get unreadable(): Iterable<UnreadableRun> {
    return this.#unreadable.values();
  }

  /** All events after a number that were told, or stood in the journals before. Throws when there was none of this number. */
  async earlier(after: number): Promise<NumberedEvent[]> {
    const recent = [...this.#recent];
    const pastEnds = this.#pastEnds;
    this.#past ??= this.#readPast(pastEnds, maxKept);
    let past = await this.#past;
    if (after < past.after) past = await this.#readPast(pastEnds, Infinity);
    const last = Math.max(0, past.events.at(-1)?.n ?? 0, ...recent.map(({ n }) => n));
    if (after > last) throw new ClewError("gone", `there is no event ${after}`, "begin anew, without a number");
    return [...past.events, ...recent].filter(({ n }) => n > after);
  }

  async #follow(watch: JournalWatch): Promise<void> {
    const { signal } = this.#stop;
    try {
      while (!signal.aborted) {
        this.#look(watch.take());
        await watch.wait(this.#order.hasDelayed ? gapMs : lookEveryMs, signal);
      }
    } finally {
      watch.close();
    }
  }

  #look(changed: string[]): void {
    const found: NumberedEvent[] = [];
    const activities: RunActivity[] = [];
    const known = this.#unreadable.size;
    for (const id of changed) {
      this.#readNew(id, (line) => {
        if ("n" in line) found.push({ ...line, workflow_id: id });
        else if (line.type.startsWith("agent.")) activities.push({ ...line, workflow_id: id } as RunActivity);
      });
    }
    const events = this.#order.take(found);
    this.#recent.push(...events);
    if (this.#recent.length > maxKept && !this.#order.hasDelayed) this.#forgetRecent();
    const unreadable = [...this.#unreadable.values()].slice(known);
    if (events.length + activities.length + unreadable.length > 0) this.#tell({ events, activities, unreadable });
  }

  /** From now on, all that was told counts as past. */
  #forgetRecent(): void {
    this.#pastEnds = new Map(this.#ends);
    this.#past = Promise.resolve({ after: this.#recent[0]!.n - 1, events: this.#recent });
    this.#recent = [];
  }

  /** Reads on in a journal, unless it could not be read before. */
  #readNew(id: string, onLine: (line: JournalLine) => void): void {
    if (this.#unreadable.has(id)) return;
    try {
      for (const { line, end } of this.#parts.store.lines(id, this.#ends.get(id))) {
        this.#ends.set(id, end);
        onLine(line);
      }
    } catch (error) {
      if (!(error instanceof ClewError)) throw error;
      this.#unreadable.set(id, { id, reason: error.message });
    }
  }

  /** The last events that stand before these places, at most so many. */
  async #readPast(ends: ReadonlyMap<string, number>, limit: number): Promise<Past> {
    const { store, giveWay } = this.#parts;
    const all: NumberedEvent[] = [];
    for (const [id, placeEnd] of ends) {
      try {
        for (const { line, end } of store.lines(id)) {
          if (end > placeEnd) break;
          if ("n" in line) all.push({ ...line, workflow_id: id });
        }
      } catch (error) {
        if (!(error instanceof ClewError)) throw error;
      }
      await giveWay();
    }
    all.sort((one, other) => one.n - other.n);
    const dropped = Math.max(0, all.length - limit);
    return { after: all[dropped - 1]?.n ?? 0, events: all.slice(dropped) };
  }
}

/** Events in order: all that there were after a number. */
interface Past {
  after: number;
  events: NumberedEvent[];
}
