import { cutToCodePoints } from "../../session/text.ts";

/** One line that YAML, Markdown and a terminal take for text. */
export function asLine(text: string, mostChars = 600): string {
  const begin = text.slice(0, 4 * mostChars).toWellFormed();
  return cutToCodePoints(begin.replace(/[\p{C}\p{Z}]+/gu, " ").trim(), mostChars);
}
