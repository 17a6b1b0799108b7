const maxNames = 10;

/** `a → b → a`; of a long circle only its two ends. */
export function circleInWords(ids: readonly string[]): string {
  if (ids.length <= maxNames) return ids.join(" → ");
  const half = maxNames / 2;
  const remaining = (ids.length - maxNames).toLocaleString("en-US");
  return [...ids.slice(0, half), `… (${remaining} more)`, ...ids.slice(-half)].join(" → ");
}
