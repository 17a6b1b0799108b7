/** `npm run test:long`, which also runs the quick files that have a `*.long.test.ts` beside them. */
export const isLong = (import.meta as { env?: { MODE?: string } }).env?.MODE === "long";

/** The rows of a matrix: in the long suite all of them, in the quick one those that stand for their kind. */
export function rows<T>(all: readonly T[], isUsual: (row: T, at: number) => boolean): T[] {
  return isLong ? [...all] : all.filter((row, at) => isUsual(row, at));
}

/** Loads a quick file in the long suite, where its matrices have all their rows. */
export async function withAllRows(load: () => Promise<unknown>): Promise<void> {
  await load();
}
