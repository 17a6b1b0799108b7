/** Where a line of a run's journal stands: behind which event, and as the how-manyeth line behind it. */
export interface LinePlace {
  after: number;
  behind: number;
}

/** `7`, or `7.2` for the second line behind event 7; undefined for any other text. */
export function readLinePlace(text: string): LinePlace | undefined {
  const [, after, behind = "0"] = /^(\d{1,15})(?:\.(\d{1,15}))?$/.exec(text) ?? [];
  return after === undefined ? undefined : { after: Number(after), behind: Number(behind) };
}

/** Gives the lines of a journal their places, in order, from behind an event on. */
export class LinePlaces {
  #after: number;
  #behind = 0;

  constructor(after: number) {
    this.#after = after;
  }

  /** The place of the next line, which is an event when it has a number. */
  next(n: number | undefined): LinePlace {
    this.#after = n ?? this.#after;
    this.#behind = n === undefined ? this.#behind + 1 : 0;
    return { after: this.#after, behind: this.#behind };
  }
}
