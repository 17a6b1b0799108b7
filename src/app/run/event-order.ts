interface Numbered {
  n: number;
}

/**
 * Puts events in the order of their numbers. Journals are read one after the other, so that an event may be seen before an
 * earlier one of another run. What has a gap before it waits for the next look; a gap that is still there then will not be
 * filled any more.
 */
export class EventOrder<Event extends Numbered> {
  readonly #after: number;
  #last: number;
  /** The greatest number that the look before saw. */
  #seenBefore: number;
  #delayed: Event[] = [];

  /** Only events with greater numbers than `after` are given. */
  constructor(after: number) {
    this.#after = after;
    this.#last = after;
    this.#seenBefore = 0;
  }

  /** What can be told after a look that found these. With `isLast`, nothing more will fill a gap. */
  take(found: Event[], isLast = false): Event[] {
    const due: Event[] = [];
    const look = [...this.#delayed, ...found.filter(({ n }) => n > this.#after)];
    look.sort((one, other) => one.n - other.n);
    this.#delayed = [];
    for (const event of look) {
      const isDue = isLast || event.n <= this.#last + 1 || event.n <= this.#seenBefore;
      if (this.#delayed.length > 0 || !isDue) this.#delayed.push(event);
      else {
        // One that comes after all, behind a gap that was given up, is told late rather than never.
        this.#last = Math.max(this.#last, event.n);
        due.push(event);
      }
    }
    this.#seenBefore = this.#delayed.at(-1)?.n ?? this.#last;
    return due;
  }

  /** Something waits for an earlier event. */
  get hasDelayed(): boolean {
    return this.#delayed.length > 0;
  }
}
