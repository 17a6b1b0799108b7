import { setImmediate as breathe } from "node:timers/promises";

/** @typedef {{ medianMs: number, lowestMs: number, runs: number }} Timing */

/** @param {number[]} values */
export function median(values) {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length >> 1;
  const upper = sorted[middle] ?? NaN;
  return sorted.length % 2 === 1 ? upper : (upper + (sorted[middle - 1] ?? NaN)) / 2;
}

/**
 * Lets the works take turns for `rounds` rounds, after one that does not count, and gives the timing of each. A work
 * may return its own time in milliseconds; otherwise it is timed from outside.
 * @template {string} Name
 * @param {number} rounds
 * @param {Record<Name, () => number | void | Promise<number | void>>} works
 * @returns {Promise<Record<Name, Timing>>}
 */
export async function takeTurns(rounds, works) {
  const names = /** @type {Name[]} */ (Object.keys(works));
  /** @type {Map<Name, number[]>} */
  const times = new Map(names.map((name) => [name, []]));
  for (let round = -1; round < rounds; round++) {
    for (const name of names) {
      const startMs = performance.now();
      const own = await works[name]();
      const tookMs = typeof own === "number" ? own : performance.now() - startMs;
      if (round >= 0) times.get(name)?.push(tookMs);
      // Programs are started synchronously; here Ctrl-C is heard.
      await breathe();
    }
  }
  const timings = names.map((name) => [name, timingOf(times.get(name) ?? [])]);
  return /** @type {Record<Name, Timing>} */ (Object.fromEntries(timings));
}

/**
 * @param {number[]} times
 * @returns {Timing}
 */
export function timingOf(times) {
  return { medianMs: median(times), lowestMs: Math.min(...times), runs: times.length };
}

/**
 * What a timing has beyond that of a program that only starts.
 * @param {Timing} timing
 * @param {Timing} start
 * @returns {Timing}
 */
export function afterStart(timing, start) {
  const [medianMs, lowestMs] = [timing.medianMs - start.medianMs, timing.lowestMs - start.lowestMs];
  return { medianMs, lowestMs, runs: timing.runs };
}
