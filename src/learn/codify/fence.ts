/** A fence of backticks that is longer than any in its text. */
export function fenceAround(text: string, language: string): string[] {
  const longest = (text.match(/`+/g) ?? []).reduce((most, run) => Math.max(most, run.length), 2);
  const ticks = "`".repeat(longest + 1);
  return [`${ticks}${language}`, ...text.trimEnd().split("\n"), ticks];
}
