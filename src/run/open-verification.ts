import type { JournalLine } from "../contract/run-journal.ts";
import type { Verification } from "../contract/run.ts";

/** The merged tree that stands in a run's worktree, because whoever checked it out came to no end. */
export class OpenVerification {
  current: Verification | undefined;

  add(line: JournalLine): void {
    if (line.type === "merge.verifying") {
      const { branch, head, commit } = line;
      this.current = { branch, head, commit };
    } else if (line.type === "merge.verified") this.current = undefined;
  }
}
