/**
 * Takes characters off a text's ends in one look at each. A pattern such as `/-+$/` is tried anew at every dash of a row,
 * and takes the square of the time where something else stands behind it.
 */

/** The text without those of `chars` that stand at its end. */
export function trimEndOf(text: string, chars: string): string {
  let end = text.length;
  while (end > 0 && chars.includes(text[end - 1]!)) end--;
  return text.slice(0, end);
}

/** The same at both ends. */
export function trimOf(text: string, chars: string): string {
  let start = 0;
  while (start < text.length && chars.includes(text[start]!)) start++;
  return trimEndOf(text.slice(start), chars);
}
