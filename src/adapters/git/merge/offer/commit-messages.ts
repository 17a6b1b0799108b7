import type { PinnedRun } from "../../../../contract/pinned-run.ts";
import type { MergeMessages } from "../types.ts";

/** The messages of a run's commits: of its work, squashed or left in the worktree, and of its merge. */
export function commitMessages(runId: string, bead: PinnedRun["bead"]): Omit<MergeMessages, "strategy"> {
  const id = asLine(bead.id);
  const subject = asLine(bead.title) || id;
  const trailers = `Bead: ${id}\nRun: ${runId}\n`;
  return { commit: `${subject}\n\n${trailers}`, merge: `Merge ${id}: ${subject}\n\n${trailers}` };
}

/** A text of a bead as one line, without control characters. */
function asLine(text: string): string {
  return text.replace(/[\s\u0000-\u001f\u007f-\u009f]+/g, " ").trim();
}
