const eighths = ["", "▏", "▎", "▍", "▌", "▋", "▊", "▉"];

/** A bar as long as a value is by the largest one; what is more than nothing is never without a bar. */
export function bar(value: number | null, most: number, width: number): string {
  if (value === null || !(value > 0) || !(most > 0)) return "";
  const parts = Math.max(1, Math.round(Math.min(1, value / most) * width * 8));
  return "█".repeat(Math.floor(parts / 8)) + eighths[parts % 8]!;
}
