/** Why a worktree cannot be made, in words for a person. Becomes a result, never reaches a caller as an exception. */
export class Refusal extends Error {
  readonly what: string;
  /** The way out. */
  readonly way: string;
  /** What git printed. */
  readonly output: string;

  constructor(what: string, { way = "", output = "" } = {}) {
    super(way === "" ? what : `${what}: ${way}`);
    this.what = what;
    this.way = way;
    this.output = output;
  }
}
