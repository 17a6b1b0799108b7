/** Why a worktree cannot be made, in words for a person. Becomes a result, never reaches a caller as an exception. */
export class Refusal extends Error {
  readonly reason: string;
  /** The way out. */
  readonly hint: string;
  /** What git printed. */
  readonly output: string;

  constructor(reason: string, { way: hint = "", output = "" } = {}) {
    super(hint === "" ? reason : `${reason}: ${hint}`);
    this.reason = reason;
    this.hint = hint;
    this.output = output;
  }
}
