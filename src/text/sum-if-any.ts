/** What is not known adds nothing; null when nothing is known. */
export function sumIfAny(a: number | null, b: number | null): number | null {
  return a === null ? b : b === null ? a : a + b;
}
