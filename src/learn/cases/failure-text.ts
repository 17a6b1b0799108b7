import type { Entry } from "../../contract/session.ts";

/** What a failure says of itself. */
export function failureText(entry: Entry): string {
  if (entry.kind === "tool") return entry.result_full ?? entry.result ?? "";
  return entry.kind === "error" ? entry.text : "";
}
