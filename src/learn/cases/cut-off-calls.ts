import type { Entry, ToolEntry } from "../../contract/session.ts";
import type { PlacedSession } from "./placed-session.ts";

/** What a run or a person notes where an agent or a script was stopped. */
const stopRemark = /^(?:interrupted here|stopped by a person)/;

/** Statuses of sessions that did not come to their end by themselves. */
const stoppedStatuses = new Set(["failed", "abandoned", "paused"]);

/**
 * The calls that nobody knows the outcome of: a call without any result stands in session.md like one that passed and printed nothing. What
 * an engine left open when it was stopped stands at the end of a phase, with no more than counts, remarks and the error behind it.
 */
export function cutOffCalls(session: PlacedSession): Set<number> {
  const cutOff = new Set<number>();
  const { entries, frontmatter } = session;
  const wasStopped = stoppedStatuses.has(frontmatter.status) || frontmatter.kind === "import";
  for (let at = entries.length - 1; at >= 0;) {
    const { phase } = entries[at]!;
    let isStopped = wasStopped && phase === session.phases.at(-1);
    let isEnd = true;
    for (; at >= 0 && entries[at]!.phase === phase; at--) {
      const { entry } = entries[at]!;
      if (!isEnd) continue;
      if (isOpenCall(entry)) {
        if (isStopped) cutOff.add(at);
      } else if (tellsOfStop(entry)) isStopped = true;
      else isEnd = isQuiet(entry);
    }
  }
  return cutOff;
}

function isOpenCall(entry: Entry): entry is ToolEntry {
  return entry.kind === "tool" && !entry.failed && entry.result === undefined;
}

function tellsOfStop(entry: Entry): boolean {
  if (entry.kind === "error") return entry.resolution === undefined;
  return entry.kind === "remark" && stopRemark.test(entry.text);
}

/** What may stand behind calls that were left open. */
function isQuiet({ kind }: Entry): boolean {
  return kind === "tokens" || kind === "remark" || kind === "answer" || kind === "decision_needed";
}
