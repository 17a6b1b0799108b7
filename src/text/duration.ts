/**
 * Durations as people write them: `500ms`, `90s`, `10m`, `1h30m`, `2h`, `1d`. Units stand from large to small, each once.
 * Eight digits at most keep every sum exact and within what a clock can show.
 */
export const durationPattern = /^(?=\d)(?:(\d{1,8})d)?(?:(\d{1,8})h)?(?:(\d{1,8})m)?(?:(\d{1,8})s)?(?:(\d{1,8})ms)?$/;

const units = [
  ["d", 86_400_000],
  ["h", 3_600_000],
  ["m", 60_000],
  ["s", 1000],
  ["ms", 1],
] as const;

/** Longer than any step or run should take. */
export const longestDurationMs = 30 * 86_400_000;

/** A duration in milliseconds; undefined when it is not one, is nothing, or is longer than `longestMs`. */
export function readDuration(text: string, longestMs: number = longestDurationMs): number | undefined {
  const match = durationPattern.exec(text);
  if (!match) return undefined;
  const ms = units.reduce((sum, [, unitMs], index) => sum + Number(match[index + 1] ?? 0) * unitMs, 0);
  return ms > 0 && ms <= longestMs ? ms : undefined;
}

/** The shortest form that `readDuration` takes back to the same number; `0s` for nothing. */
export function formatDuration(ms: number): string {
  let rest = Math.round(ms);
  let text = "";
  for (const [unit, unitMs] of units) {
    const count = Math.floor(rest / unitMs);
    if (count > 0) text += `${count}${unit}`;
    rest -= count * unitMs;
  }
  return text === "" ? "0s" : text;
}
