const mostNamed = 10;

/** `a → b → a`; of a long circle only its two ends. */
export function circleInWords(ids: readonly string[]): string {
  if (ids.length <= mostNamed) return ids.join(" → ");
  const half = mostNamed / 2;
  const left = (ids.length - mostNamed).toLocaleString("en-US");
  return [...ids.slice(0, half), `… (${left} more)`, ...ids.slice(-half)].join(" → ");
}
