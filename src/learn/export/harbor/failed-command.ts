import type { Puzzle } from "../../../contract/api/learn.ts";
import { shellCall, type ShellCall } from "../../cases/call-key.ts";

/** The command of a shell that failed and passed later, whole; undefined where the failure is another. */
export function failedCommand({ failure, basis }: Puzzle): ShellCall | undefined {
  const entry = failure[0]?.entry;
  if (basis !== "passing_run" || entry?.kind !== "tool" || entry.cut || /\n\[… \d+ characters …\]\n/.test(entry.args))
    return undefined;
  return shellCall(entry);
}
