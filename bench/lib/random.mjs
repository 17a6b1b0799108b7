/**
 * Seeded random numbers (mulberry32), so that every run measures the same text.
 * @param {number} seed
 * @returns {() => number} from 0 up to, but not, 1
 */
export function randomFrom(seed) {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/**
 * @template T
 * @param {() => number} random
 * @param {ReadonlyArray<T>} choices
 * @returns {T}
 */
export function pick(random, choices) {
  return /** @type {T} */ (choices[Math.floor(random() * choices.length)]);
}
