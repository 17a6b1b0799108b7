/** `a, b or c`. */
export function listed(words: readonly string[], joint: "and" | "or"): string {
  if (words.length < 2) return words.join("");
  return `${words.slice(0, -1).join(", ")} ${joint} ${words.at(-1)}`;
}

const longestShown = 40;

/** A value as a message names it: short, and on one line. */
export function shown(value: unknown): string {
  if (Array.isArray(value)) return "a list";
  if (typeof value === "object" && value !== null) return "a mapping";
  const text = String(value);
  const isLong = text.length > longestShown;
  const cut = isLong ? `${Array.from(text.slice(0, longestShown)).slice(0, -1).join("")}…` : text;
  return typeof value === "string" ? JSON.stringify(cut) : cut;
}

export function didYouMean(word: string | undefined): string | undefined {
  return word === undefined ? undefined : `did you mean ${word}?`;
}
