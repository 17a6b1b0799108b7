/** `a, b or c`. */
export function joinWords(words: readonly string[], conjunction: "and" | "or"): string {
  if (words.length < 2) return words.join("");
  return `${words.slice(0, -1).join(", ")} ${conjunction} ${words.at(-1)}`;
}

const maxLength = 40;

/** A value for a message: short, and on one line. */
export function describeValue(value: unknown): string {
  if (Array.isArray(value)) return "a list";
  if (typeof value === "object" && value !== null) return "a mapping";
  const text = String(value);
  const isLong = text.length > maxLength;
  const shortened = isLong ? `${Array.from(text.slice(0, maxLength)).slice(0, -1).join("")}…` : text;
  return typeof value === "string" ? JSON.stringify(shortened) : shortened;
}

export function didYouMean(word: string | undefined): string | undefined {
  return word === undefined ? undefined : `did you mean ${word}?`;
}
