/** The lines of a spell that are kept. A head goes when every line below it goes. Returns the spell as it was when nothing goes. */
export function keepLines(lines: readonly string[], isKept: (at: number) => boolean): string {
  const kept = lines.filter((_, at) => isKept(at) && !losesItsLines(lines, at, isKept));
  if (kept.length === lines.length) return lines.join("\n");
  return `${kept
    .join("\n")
    .replace(/\n{3,}/g, "\n\n")
    .trimEnd()}\n`;
}

/** Whether a line is the head of lines up to the next blank one, and none of those is kept. */
function losesItsLines(lines: readonly string[], at: number, isKept: (at: number) => boolean): boolean {
  const head = lines[at]!;
  if (!head.endsWith(":") || head.startsWith("- ")) return false;
  let end = at + 1;
  while (end < lines.length && lines[end] !== "") {
    if (isKept(end)) return false;
    end++;
  }
  return end > at + 1;
}
