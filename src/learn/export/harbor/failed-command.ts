import type { Puzzle } from "../../../contract/api/learn.ts";
import { shellCallIn } from "../../logged-calls/shell-call.ts";
import type { PortableCommand } from "./portable-command.ts";

/** The command of a shell that failed and passed later, whole; undefined where the failure is another. */
export function failedCommand({ failure, basis }: Puzzle): PortableCommand | undefined {
  const entry = failure[0]?.entry;
  if (basis !== "passing_run" || entry?.kind !== "tool" || entry.cut || /\n\[… \d+ characters …\]\n/.test(entry.args))
    return undefined;
  const call = shellCallIn(entry);
  // What went on in the background tells nothing of how it ends.
  return call && !call.isBackground ? { command: call.command, folder: call.folder ?? "" } : undefined;
}
