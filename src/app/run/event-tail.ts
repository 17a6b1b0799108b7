import type { NumberedEvent, RunActivity, UnreadableRun } from "../../contract/api/run.ts";
import type { JournalLine } from "../../contract/run-journal.ts";
import { EventOrder } from "./event-order.ts";
import type { EventPlace, JournalEnd, RunStore } from "./ports.ts";

/** What is told at once: events in the order of their numbers. */
export interface EventNews {
  events: readonly NumberedEvent[];
  activities: readonly RunActivity[];
  /** Runs whose journals cannot be read, once. */
  unreadable: readonly UnreadableRun[];
}

export type NewsListener = (news: EventNews) => void;

/** Tells which journals are written to. */
export interface JournalWatch {
  /** Runs whose journals changed since the last call. */
  take(): string[];
  /** Resolves when one changes, when the time has passed, or at the signal. */
  wait(ms: number, signal: AbortSignal): Promise<void>;
  close(): void;
}

export interface TailParts {
  store: Pick<RunStore, "ids" | "lines" | "lineAt" | "journalEnd" | "eventPlaces">;
  watch: () => JournalWatch;
  /** Lets others go on for a moment. */
  giveWay: () => Promise<void>;
  elapsedMs: () => number;
}

/** So many of the last events are kept, for listeners that were away for a moment. */
const maxKept = 2_000;
/** So many are read from the journals at once. */
const chunkEvents = 200;
/** So long an event waits for an earlier one before all journals are looked at. */
const gapMs = 100;
/** Should the system not tell of a change, it is seen after this time. */
const lookEveryMs = 5_000;
/** After a look that failed, all journals are looked at again. */
const failedMs = 500;

interface Wanted {
  after: number;
  /** The last one that is wanted. */
  last: number;
  runs: readonly string[] | undefined;
}

/** Follows the journals of all runs from now on, and reads what stood there before. */
export class EventTail {
  /** Resolves when it is known how far the journals go. */
  readonly ready: Promise<void>;
  readonly #parts: TailParts;
  readonly #tell: NewsListener;
  readonly #stop = new AbortController();
  /** How far each journal was read; of those that are over, for the next tail as well. */
  readonly #ends = new Map<string, JournalEnd>();
  readonly #overEnds: Map<string, JournalEnd>;
  readonly #unreadable = new Map<string, UnreadableRun>();
  #order = new EventOrder<NumberedEvent>(0);
  /** The last events that were told. */
  #recent: NumberedEvent[] = [];

  constructor(parts: TailParts, overEnds: Map<string, JournalEnd>, tell: NewsListener) {
    this.#parts = parts;
    this.#overEnds = overEnds;
    this.#tell = tell;
    // First the watch: what is written while the ends are looked for is seen by it.
    const watch = parts.watch();
    this.ready = this.#findEnds();
    void this.ready
      .then(
        () => this.#follow(watch),
        // Told to all who listen.
        () => undefined,
      )
      .finally(() => watch.close());
  }

  /** The number of the last event that was told, or stood in a journal before. All that comes has a greater one. */
  get last(): number {
    return this.#order.last;
  }

  end(): void {
    this.#stop.abort();
  }

  /** Tells all that stands in the journals by now. */
  lookAtAll(): void {
    this.#look(this.#openIds(), true);
    // Events that something is missing before, for good.
    if (this.#order.hasDelayed) this.#look(this.#openIds(), true);
  }

  /** Events up to one that was told, from memory or from the journals. */
  async *earlier(wanted: Wanted): AsyncGenerator<EventNews> {
    const { after, last } = wanted;
    const known = [...this.#unreadable.values()];
    if (known.length > 0) yield { events: [], activities: [], unreadable: known };
    if (after >= last) return;
    const recent = this.#recent;
    if (recent[0] && recent[0].n <= after + 1) {
      yield { events: recent.filter(({ n }) => n > after && n <= last), activities: [], unreadable: [] };
    } else yield* this.#fromJournals(wanted);
  }

  /** Reads only journals that have such events, and keeps no more than where those stand. */
  async *#fromJournals({ after, last, runs }: Wanted): AsyncGenerator<EventNews> {
    const { store, giveWay } = this.#parts;
    const places: (EventPlace & { id: string })[] = [];
    const unreadable = new Map<string, UnreadableRun>();
    const tryToRead = (id: string, read: () => void): void => {
      try {
        read();
      } catch (error) {
        if (!this.#unreadable.has(id)) unreadable.set(id, { id, reason: reasonOf(error) });
      }
    };
    for (const [id, { n }] of this.#ends) {
      if (this.#stop.signal.aborted) return;
      if (n <= after || (runs && !runs.includes(id))) continue;
      tryToRead(id, () => {
        for (const place of store.eventPlaces(id, after)) {
          if (place.n > last) break;
          places.push({ id, ...place });
        }
      });
      await giveWay();
    }
    places.sort((one, other) => one.n - other.n);
    for (let at = 0; at < places.length; at += chunkEvents) {
      const events: NumberedEvent[] = [];
      for (const { id, place } of places.slice(at, at + chunkEvents)) {
        tryToRead(id, () => events.push({ ...store.lineAt(id, place), workflow_id: id } as NumberedEvent));
      }
      yield { events, activities: [], unreadable: [...unreadable.values()] };
      unreadable.clear();
    }
    if (unreadable.size > 0) yield { events: [], activities: [], unreadable: [...unreadable.values()] };
  }

  /**
   * An event is written before the next number is given out: when the greatest number was seen, all lesser ones stood in
   * their journals. So that number parts what came before from what comes.
   */
  async #findEnds(): Promise<void> {
    const { store, giveWay } = this.#parts;
    for (const [at, id] of store.ids().entries()) {
      const known = this.#overEnds.get(id);
      if (known) this.#ends.set(id, known);
      else this.#tryToRead(id, () => this.#keepEnd(id, store.journalEnd(id)));
      if (at % 100 === 99) await giveWay();
    }
    this.#order = new EventOrder([...this.#ends.values()].reduce((last, { n }) => Math.max(last, n), 0));
    // An event may have come to a journal after its end was looked for, and before another journal got a greater one.
    this.lookAtAll();
  }

  async #follow(watch: JournalWatch): Promise<void> {
    const { elapsedMs } = this.#parts;
    const { signal } = this.#stop;
    let wholeAt = elapsedMs() + lookEveryMs;
    while (!signal.aborted) {
      await watch.wait(Math.max(0, wholeAt - elapsedMs()), signal);
      if (signal.aborted) return;
      const hadDelayed = this.#order.hasDelayed;
      const isWhole = elapsedMs() >= wholeAt;
      try {
        const changed = watch.take();
        this.#look(isWhole ? this.#openIds() : changed, isWhole);
      } catch {
        // The folder cannot be read now: what was written meanwhile is found by a look at all, soon.
        wholeAt = elapsedMs() + failedMs;
        continue;
      }
      const { hasDelayed } = this.#order;
      if (isWhole || hasDelayed !== hadDelayed) wholeAt = elapsedMs() + (hasDelayed ? gapMs : lookEveryMs);
    }
  }

  #look(ids: string[], isWhole: boolean): void {
    const found: NumberedEvent[] = [];
    const activities: RunActivity[] = [];
    const unreadable: UnreadableRun[] = [];
    for (const id of ids) {
      const problem = this.#tryToRead(id, () =>
        this.#readNew(id, (line) => {
          if ("n" in line) found.push({ ...line, workflow_id: id });
          else if (line.type.startsWith("agent.")) activities.push({ ...line, workflow_id: id } as RunActivity);
        }),
      );
      if (problem) unreadable.push(problem);
    }
    const events = this.#order.take(found, isWhole);
    this.#recent.push(...events);
    if (this.#recent.length > 2 * maxKept) this.#recent = this.#recent.slice(-maxKept);
    if (events.length + activities.length + unreadable.length > 0) this.#tell({ events, activities, unreadable });
  }

  #readNew(id: string, onLine: (line: JournalLine) => void): void {
    const known = this.#ends.get(id) ?? { n: 0, end: 0, isOver: false };
    this.#keepEnd(id, known);
    for (const { line, end } of this.#parts.store.lines(id, known.end)) {
      onLine(line);
      known.end = end;
      if (!("n" in line)) continue;
      known.n = line.n;
      known.isOver = line.type === "workflow.completed" || line.type === "workflow.cancelled";
      this.#keepEnd(id, known);
    }
  }

  #keepEnd(id: string, end: JournalEnd): void {
    this.#ends.set(id, end);
    if (end.isOver) this.#overEnds.set(id, end);
  }

  /** What keeps a journal from being read, when that was not known before. It is tried again at the next change. */
  #tryToRead(id: string, read: () => void): UnreadableRun | undefined {
    try {
      read();
      this.#unreadable.delete(id);
      return undefined;
    } catch (error) {
      const problem = { id, reason: reasonOf(error) };
      const isKnown = this.#unreadable.has(id);
      this.#unreadable.set(id, problem);
      return isKnown ? undefined : problem;
    }
  }

  #openIds(): string[] {
    return this.#parts.store.ids().filter((id) => !this.#ends.get(id)?.isOver);
  }
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
