import { ClewError, type ErrorCode } from "../../../contract/errors.ts";

/** What keeps a run from going on, and what mends it. */
export interface Blocker {
  /** `invalid_arguments`, `invalid_result`, `forged_token`, `stale_token`, what evidence lacks (`evidence_missing`, `evidence_stale`), or why the run waits: `review`, `step_failed`… */
  kind: string;
  message: string;
  fix: string;
  /** The last lines of what failed. */
  output?: string;
}

/** Why an agent cannot go on as it wanted. It is blocked, not dead: each blocker names its fix. */
export class RefusedAdvance extends ClewError {
  readonly blockers: Blocker[];
  readonly retryToken: string | undefined;

  /** The first blocker is the error's own; others may stand behind it. */
  constructor(code: ErrorCode, [first, ...others]: readonly [Blocker, ...Blocker[]], retryToken?: string) {
    super(code, first.message, first.fix);
    this.blockers = [first, ...others];
    this.retryToken = retryToken;
  }

  override toJSON(): ReturnType<ClewError["toJSON"]> & { blockers: Blocker[]; retry_token?: string } {
    const { blockers, retryToken } = this;
    return { ...super.toJSON(), blockers, ...(retryToken !== undefined && { retry_token: retryToken }) };
  }
}
