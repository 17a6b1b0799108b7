import { random } from "../support/random.ts";

/** After so many acts of one kind a lane goes on with the next kind: few enough that a minute sees them all. */
export const actsPerTurn = 6;

/** All kinds in the order that the seed gives. Each lane begins at another one, so that together they are through sooner. */
export function kindsInTurn<T>(kinds: readonly T[], seed: number, lane: number, lanes: number): T[] {
  const next = random(seed);
  const order = [...kinds];
  for (let at = order.length - 1; at > 0; at--) {
    const other = Math.floor(next() * (at + 1));
    [order[at], order[other]] = [order[other]!, order[at]!];
  }
  const begin = Math.floor((lane * order.length) / lanes) % Math.max(1, order.length);
  return [...order.slice(begin), ...order.slice(0, begin)];
}
