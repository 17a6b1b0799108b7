/** More levels than a person writes. A parser needs time that grows with the square of the levels. */
const maxLevels = 500;

/**
 * Whether YAML would nest deeper than any person writes: so many brackets open at once, or so many entries begun in one line.
 * Brackets in texts count as well, so that one look at each character is enough; no text leaves hundreds of them open.
 */
export function isNestedTooDeeply(text: string): boolean {
  let open = 0;
  let entriesInLine = 0;
  for (let at = 0; at < text.length; at++) {
    const sign = text[at];
    if (sign === "[" || sign === "{") open++;
    else if (sign === "]" || sign === "}") open = Math.max(0, open - 1);
    else if (sign === "\n") entriesInLine = 0;
    else if ((sign === "-" || sign === "?") && text[at + 1] === " ") entriesInLine++;
    if (open > maxLevels || entriesInLine > maxLevels) return true;
  }
  return false;
}
