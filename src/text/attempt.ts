/** What `work` returns, or `fallback` when it throws anything: what cannot be read counts as what is not there. */
export function attempt<T, F>(work: () => T, fallback: F): T | F {
  try {
    return work();
  } catch {
    return fallback;
  }
}
