/** Why a worktree cannot be made, in words for a person. Becomes a result, never reaches a caller as an exception. */
export class Refusal extends Error {
  /** What git printed. */
  readonly output: string;

  constructor(message: string, output = "") {
    super(message);
    this.output = output;
  }
}
