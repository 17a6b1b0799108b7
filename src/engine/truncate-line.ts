/** The beginning of a text, on one line, at most so many code points long; `…` stands for the rest. */
export function truncateLine(text: string, maxCodePoints: number): string {
  // Two code units make a code point at most: nothing beyond can be part of the answer.
  const line = text
    .slice(0, maxCodePoints * 2 + 1)
    .replace(/\s+/g, " ")
    .trim();
  const letters = Array.from(line);
  if (letters.length <= maxCodePoints && text.length <= maxCodePoints * 2 + 1) return line;
  return `${letters.slice(0, maxCodePoints - 1).join("")}…`;
}
