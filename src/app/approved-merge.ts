import type { JournalLine } from "../contract/run-journal.ts";

/** Whether the last merge that a person approved has come to no end yet: the run was cut off on its way to landing it. */
export function isApprovalOpen(lines: Iterable<{ line: JournalLine }>): boolean {
  let path: string | undefined;
  for (const { line } of lines) {
    if (line.type === "run.signal" && line.taken && line.signal.kind === "approve") path = line.to?.path;
    const isEnd = line.type === "workflow.step.completed" && line.path === path;
    if (isEnd || line.type === "workflow.merge_pending") path = undefined;
  }
  return path !== undefined;
}
