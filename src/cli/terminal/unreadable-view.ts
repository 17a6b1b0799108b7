import type { Screen } from "../context.ts";
import { clean } from "./clean.ts";
import { wrapLines } from "./wrap.ts";

/** What a list could not read, and why: below the list, so that the rest is not lost. */
export function viewUnreadable(screen: Screen, what: string, reason: string): string {
  return [
    `${screen.colors.red("unreadable")}  ${clean(what)}`,
    ...wrapLines(screen, clean(reason), " ".repeat(12)),
  ].join("\n");
}
