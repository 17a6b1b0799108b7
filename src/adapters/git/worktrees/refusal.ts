/** Why a worktree cannot be made, for a person. `makeWorktree` turns it into a result, and `runGround` into a ClewError. */
export class WorktreeRefusal extends Error {
  readonly reason: string;
  readonly hint: string;
  /** What git printed. */
  readonly output: string;

  constructor(reason: string, { hint = "", output = "" } = {}) {
    super(hint === "" ? reason : `${reason}: ${hint}`);
    this.reason = reason;
    this.hint = hint;
    this.output = output;
  }
}
