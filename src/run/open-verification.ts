import type { JournalLine } from "../contract/run-journal.ts";
import type { Verification } from "../contract/run.ts";

/** The merged tree that a driver checked out in the run's worktree and did not take away again. */
export class OpenVerification {
  current: Verification | undefined;

  add(line: JournalLine): void {
    if (line.type === "merge.verifying") {
      const { branch, head, commit } = line;
      this.current = { branch, head, commit };
    } else if (line.type === "merge.verified") this.current = undefined;
  }
}
