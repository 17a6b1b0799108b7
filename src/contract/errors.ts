/**
 * Every way Clew can refuse or fail. The CLI, REST and MCP render the same error, so the set is closed: a new code is added
 * here, with the exit code that a script sees and the status that a client of the daemon gets.
 */
const outcomes = {
  usage: { exit: 2, http: 400 },
  invalid_input: { exit: 2, http: 400 },
  invalid_id: { exit: 2, http: 400 },
  not_a_repository: { exit: 2, http: 404 },
  unknown_session: { exit: 2, http: 404 },
  ambiguous_session: { exit: 2, http: 409 },
  several_active: { exit: 2, http: 409 },
  no_active_session: { exit: 2, http: 409 },
  damaged_session: { exit: 2, http: 422 },
  unknown_inbox_item: { exit: 2, http: 404 },
  unknown_bead: { exit: 2, http: 404 },
  ambiguous_bead: { exit: 2, http: 409 },
  damaged_beads: { exit: 2, http: 422 },
  unknown_grimoire: { exit: 2, http: 404 },
  invalid_grimoire: { exit: 2, http: 422 },
  unknown_spell: { exit: 2, http: 404 },
  unknown_run: { exit: 2, http: 404 },
  ambiguous_run: { exit: 2, http: 409 },
  damaged_run: { exit: 2, http: 422 },
  unknown_turn: { exit: 2, http: 404 },
  unknown_evidence: { exit: 2, http: 404 },
  needs_approval: { exit: 4, http: 403 },
  limit_reached: { exit: 4, http: 409 },
  not_possible_now: { exit: 2, http: 409 },
  unknown_engine: { exit: 2, http: 404 },
  unknown_token: { exit: 2, http: 404 },
  invalid_template: { exit: 2, http: 422 },
  invalid_config: { exit: 2, http: 422 },
  no_permission: { exit: 2, http: 403 },
  unreadable_file: { exit: 2, http: 422 },
  leads_outside: { exit: 2, http: 403 },
  gone: { exit: 2, http: 410 },
  // Of the daemon alone.
  unauthorized: { exit: 2, http: 401 },
  unknown_route: { exit: 2, http: 404 },
  wrong_method: { exit: 2, http: 405 },
  too_large: { exit: 2, http: 413 },
  wrong_content_type: { exit: 2, http: 415 },
  too_many_requests: { exit: 1, http: 429 },
  disk_full: { exit: 1, http: 507 },
  not_available: { exit: 2, http: 503 },
  locked: { exit: 1, http: 423 },
  engine_failed: { exit: 1, http: 502 },
  internal: { exit: 1, http: 500 },
  interrupted: { exit: 130, http: 499 },
} as const satisfies Record<string, { exit: number; http: number }>;

export type ErrorCode = keyof typeof outcomes;

export const errorCodes = Object.keys(outcomes) as [ErrorCode, ...ErrorCode[]];

/** Values that are wrong may be of any length, and a message repeats them. */
const maxMessageChars = 4_000;

function cutMessage(message: string): string {
  return message.length <= maxMessageChars ? message : `${message.slice(0, maxMessageChars)}…`;
}

/** An error a person can act on: what happened and where (`message`), and the way out (`hint`). */
export class ClewError extends Error {
  readonly code: ErrorCode;
  readonly hint: string;

  constructor(code: ErrorCode, message: string, hint: string, options?: { cause?: unknown }) {
    super(cutMessage(message), options);
    this.name = "ClewError";
    this.code = code;
    this.hint = hint;
  }

  get exitCode(): number {
    return outcomes[this.code].exit;
  }

  get httpStatus(): number {
    return outcomes[this.code].http;
  }

  toJSON(): { error: { code: ErrorCode; message: string; hint: string } } {
    return { error: { code: this.code, message: this.message, hint: this.hint } };
  }
}
