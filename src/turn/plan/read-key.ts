import { trimOf } from "../../text/trim.ts";

/** A key and its value: `**Status:** Green`. */
export interface KeyLine {
  /** As it was written, without signs around it. */
  name: string;
  value: string;
}

/** Longer than any key is. */
const maxName = 40;
const signs = "*_`";

/** Reads `**Key:** value`, `**Key**: value`, `Key: value` and the like; undefined when a text has no key. */
export function readKey(text: string): KeyLine | undefined {
  const open = signCount(text, 1);
  const colon = text.slice(0, maxName + 2 * open + 1).indexOf(":");
  if (colon === -1) return undefined;
  const before = text.slice(0, colon);
  const name = trimOf(before, ` \t${signs}`);
  if (!/^[A-Za-z][\w -]*$/.test(name)) return undefined;
  let rest = text.slice(colon + 1);
  const closing = signCount(before.trimEnd(), -1);
  for (let missing = open - closing; missing > 0; missing--) {
    // `**Key: value**` is no key that ends here.
    if (!signs.includes(rest[0] ?? "x")) return undefined;
    rest = rest.slice(1);
  }
  // `https://…` and `a:b` are none.
  if (open === 0 && rest !== "" && !/^\s/.test(rest)) return undefined;
  return { name, value: rest.trim() };
}

/** How many signs, four at most, a text begins with, or ends with. */
function signCount(text: string, step: 1 | -1): number {
  const first = step === 1 ? 0 : text.length - 1;
  let count = 0;
  while (count < 4 && signs.includes(text[first + step * count] ?? "x")) count++;
  return count;
}
