import { clean } from "./clean.ts";
import type { Colors } from "./colors.ts";
import { wrapped } from "./wrap.ts";

/** What a list could not read, and why: below the list, so that the rest is not lost. */
export function viewUnreadable(
  look: { colors: Colors; width: number; onTerminal: boolean },
  what: string,
  reason: string,
): string {
  return [`${look.colors.red("unreadable")}  ${clean(what)}`, ...wrapped(look, clean(reason), " ".repeat(12))].join(
    "\n",
  );
}
