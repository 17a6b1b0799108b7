/** `1,234,567` */
export function formatCount(count: number): string {
  // `toLocaleString` would load tables that take longer than the rest of the command.
  if (!Number.isSafeInteger(count) || count < 0) return String(count);
  const groups: string[] = [];
  for (let rest = String(count); rest !== ""; rest = rest.slice(0, -3)) groups.unshift(rest.slice(-3));
  return groups.join(",");
}

/** `$1.20`, and `$0.0042` for what is less than a cent. */
export function formatDollars(dollars: number): string {
  if (dollars === 0 || dollars >= 0.01) return `$${dollars.toFixed(2)}`;
  return `$${dollars.toFixed(dollars < 0.0001 ? 6 : 4)}`;
}

/** How long something took: `250 ms`, `42 s`, `3 min 5 s`, `2 h 10 min`. */
export function formatElapsed(ms: number): string {
  const seconds = Math.round(ms / 1000);
  if (seconds < 60) return ms < 1000 ? `${ms} ms` : `${seconds} s`;
  if (seconds < 3600) return `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
  return `${Math.floor(seconds / 3600)} h ${Math.floor((seconds % 3600) / 60)} min`;
}
