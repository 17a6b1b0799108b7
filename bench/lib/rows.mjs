/**
 * One line of the result. `value` is what the mark is about: a ratio of medians, or a figure with a unit. `best` is the
 * same ratio of the fastest runs, which other programs on the machine disturb least.
 * @typedef {{
 *   figure: string, measured: string, floor: string, value: number, unit: string, best?: number,
 *   atMost?: number, atLeast?: number, met: boolean | null,
 * }} Row
 */

/** @typedef {import("./timing.mjs").Timing} Timing */
/** @typedef {{ atMost?: number, atLeast?: number }} Mark */

/** @param {number} ms */
function inMs(ms) {
  return `${ms < 10 ? ms.toFixed(2) : ms.toFixed(1)} ms`;
}

/**
 * A time against the time of its floor.
 * @param {string} figure
 * @param {Timing} timing
 * @param {Timing} floorTiming
 * @param {Mark} [mark]
 * @returns {Row}
 */
export function ratioRow(figure, timing, floorTiming, mark = {}) {
  const value = timing.medianMs / floorTiming.medianMs;
  const best = timing.lowestMs / floorTiming.lowestMs;
  const [measured, floor] = [inMs(timing.medianMs), inMs(floorTiming.medianMs)];
  return { figure, measured, floor, value, unit: "×", best, ...mark, met: isMet(value, mark) };
}

/**
 * A rate against the rate of its floor.
 * @param {string} figure
 * @param {{ rate: number, floorRate: number, unit: string } & Mark} value
 * @returns {Row}
 */
export function rateRow(figure, { rate, floorRate, unit, ...mark }) {
  const value = rate / floorRate;
  const [measured, floor] = [withUnit(rate, unit), withUnit(floorRate, unit)];
  return { figure, measured, floor, value, unit: "×", ...mark, met: isMet(value, mark) };
}

/**
 * A figure that stands for itself.
 * @param {string} figure
 * @param {{ value: number, unit: string, floor?: string } & Mark} value
 * @returns {Row}
 */
export function plainRow(figure, { value, unit, floor = "", ...mark }) {
  return { figure, measured: withUnit(value, unit), floor, value, unit, ...mark, met: isMet(value, mark) };
}

/**
 * @param {number} value
 * @param {string} unit
 */
export function withUnit(value, unit) {
  const digits = unit === "×" ? 2 : value < 10 ? 2 : value < 100 ? 1 : 0;
  return `${value.toFixed(digits)} ${unit}`;
}

/**
 * @param {number} value
 * @param {Mark} mark
 */
function isMet(value, { atMost, atLeast }) {
  if (atMost === undefined && atLeast === undefined) return null;
  return value <= (atMost ?? Infinity) && value >= (atLeast ?? -Infinity);
}
