import type { Entry } from "../../contract/session.ts";
import { detached } from "../../text/detached.ts";

/** A case is read as a whole: of a longer text it keeps the beginning and the end, and session.md has the rest. */
const mostChars = 4000;

/** The entry with its long texts cut. */
export function shortEntry(entry: Entry): Entry {
  if (!isLong(entry)) return entry;
  const short = Object.entries(entry).map(([name, value]) => [
    name,
    typeof value === "string" ? shortText(value) : value,
  ]);
  return Object.fromEntries(short) as Entry;
}

/** The entry for one who keeps it: it does not keep the text of its session. */
export function keptEntry(entry: Entry): Entry {
  const kept = Object.entries(entry).map(([name, value]) => [
    name,
    typeof value === "string" ? detached(value) : value,
  ]);
  return Object.fromEntries(kept) as Entry;
}

function isLong(entry: Entry): boolean {
  return Object.values(entry).some((value) => typeof value === "string" && value.length > mostChars);
}

function shortText(text: string, most = mostChars): string {
  if (text.length <= most) return text;
  const half = most >> 1;
  const head = text.slice(0, half).replace(/[\uD800-\uDBFF]$/, "");
  const tail = text.slice(-half).replace(/^[\uDC00-\uDFFF]/, "");
  return `${head}\n[… ${text.length - head.length - tail.length} characters …]\n${tail}`;
}

/** How a text begins, on one line. */
export function firstWords(text: string, most = 120): string {
  const line = text
    .slice(0, 4 * most)
    .replace(/\s+/g, " ")
    .trim();
  return detached(line.length <= most ? line : `${line.slice(0, most - 1).replace(/[\uD800-\uDBFF]$/, "")}…`);
}
