/** Seeded random numbers from 0 up to, but not, 1 (a linear congruential generator), so that a failure can be repeated. */
export function random(seed: number): () => number {
  let state = BigInt(seed) + 0x9e3779b97f4a7c15n;
  return () => {
    state = (state * 6364136223846793005n + 1442695040888963407n) & 0xffffffffffffffffn;
    return Number(state >> 33n) / 2 ** 31;
  };
}
