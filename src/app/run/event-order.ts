interface Numbered {
  n: number;
}

/**
 * Puts events in the order of their numbers. Journals are read one after the other, so that an event may be seen before an
 * earlier one of another run; it then waits for that one. An event is written before the next number is given out: what is
 * still missing after a look at all journals, which began when the later one was seen, is not there any more.
 */
export class EventOrder<Event extends Numbered> {
  readonly #after: number;
  #last: number;
  /** The greatest number that earlier looks saw. */
  #seen = 0;
  #delayed: Event[] = [];

  /** Only events with greater numbers than `after` are given. */
  constructor(after: number) {
    this.#after = after;
    this.#last = after;
  }

  /** The number of the last event that was given. */
  get last(): number {
    return this.#last;
  }

  /** Something waits for an earlier event. */
  get hasDelayed(): boolean {
    return this.#delayed.length > 0;
  }

  /** What can be told after a look that found these; `isWhole` when it was one at all journals. */
  take(found: Event[], isWhole: boolean): Event[] {
    const look = [...this.#delayed, ...found.filter(({ n }) => n > this.#after)];
    look.sort((one, other) => one.n - other.n);
    const firstDelayed = look.findIndex(({ n }) => {
      const isDue = n <= this.#last + 1 || (isWhole && n <= this.#seen);
      // One that comes after all, behind a gap that was given up, is told late rather than never.
      if (isDue) this.#last = Math.max(this.#last, n);
      return !isDue;
    });
    this.#delayed = firstDelayed < 0 ? [] : look.splice(firstDelayed);
    this.#seen = Math.max(this.#last, this.#delayed.at(-1)?.n ?? 0);
    return look;
  }
}
