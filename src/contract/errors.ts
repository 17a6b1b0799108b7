/**
 * Every way Clew can refuse or fail. The CLI, REST and MCP render the same error, so the set is closed:
 * a new code is added here, with the exit code a script will see.
 */
const exitCodes = {
  usage: 2,
  invalid_input: 2,
  invalid_id: 2,
  not_a_repository: 2,
  unknown_session: 2,
  ambiguous_session: 2,
  several_active: 2,
  no_active_session: 2,
  damaged_session: 2,
  unknown_inbox_item: 2,
  unknown_bead: 2,
  ambiguous_bead: 2,
  damaged_beads: 2,
  unknown_grimoire: 2,
  invalid_grimoire: 2,
  unknown_spell: 2,
  unknown_run: 2,
  ambiguous_run: 2,
  damaged_run: 2,
  not_possible_now: 2,
  unknown_engine: 2,
  invalid_template: 2,
  invalid_config: 2,
  no_permission: 2,
  unreadable_file: 2,
  leads_outside: 2,
  disk_full: 1,
  not_available: 2,
  locked: 1,
  internal: 1,
  interrupted: 130,
} as const;

export type ErrorCode = keyof typeof exitCodes;

/** Values that are wrong may be of any length, and a message repeats them. */
const longestMessage = 4_000;

function shortened(message: string): string {
  return message.length <= longestMessage ? message : `${message.slice(0, longestMessage)}…`;
}

/** An error a person can act on: what happened and where (`message`), and the way out (`hint`). */
export class ClewError extends Error {
  readonly code: ErrorCode;
  readonly hint: string;

  constructor(code: ErrorCode, message: string, hint: string, options?: { cause?: unknown }) {
    super(shortened(message), options);
    this.name = "ClewError";
    this.code = code;
    this.hint = hint;
  }

  get exitCode(): number {
    return exitCodes[this.code];
  }

  toJSON(): { error: { code: ErrorCode; message: string; hint: string } } {
    return { error: { code: this.code, message: this.message, hint: this.hint } };
  }
}
