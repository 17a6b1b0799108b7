import { isTilde, type FenceMark } from "../../text/fence.ts";

interface Closing<Place> {
  length: number;
  place: Place;
}

/** The marks below a line that can close a fence. They are added from the last line of a text to its first. */
export class FenceClosings<Place> {
  /** With the nearest last; each is shorter than those before it. */
  readonly #ticks: Closing<Place>[] = [];
  readonly #tildes: Closing<Place>[] = [];

  /** Where the fence ends that this mark opens; undefined when nothing closes it. */
  nearest(mark: FenceMark): Place | undefined {
    const closings = this.#like(mark);
    const { length } = mark.signs;
    let low = 0;
    let high = closings.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (closings[middle]!.length >= length) low = middle + 1;
      else high = middle;
    }
    return closings[low - 1]?.place;
  }

  /** A mark with words behind it closes nothing. */
  add(mark: FenceMark, place: Place): void {
    if (!mark.isBare) return;
    const closings = this.#like(mark);
    const { length } = mark.signs;
    while (closings.length > 0 && closings.at(-1)!.length <= length) closings.pop();
    closings.push({ length, place });
  }

  #like(mark: FenceMark): Closing<Place>[] {
    return isTilde(mark) ? this.#tildes : this.#ticks;
  }
}
