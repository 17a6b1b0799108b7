import { assumeRedacted, type Redact, type Redacted } from "../../contract/redacted.ts";
import type { WorkState } from "../../contract/work-state.ts";
import { redactValue } from "../../redact/redact-value.ts";

/**
 * A state as it may be written. What others gave is redacted. Names of Clew's own are not: a process is found by its mark, which is
 * made of the session's id, and that looks like a secret where the title ends in "token".
 */
export function writable({ asked, last_result, stopped, ...names }: WorkState, redact: Redact): Redacted<WorkState> {
  return assumeRedacted({
    ...names,
    ...(asked && { asked: redactValue(asked, redact) }),
    ...(stopped && { stopped: { ...stopped, message: redact(stopped.message) } }),
    ...(last_result !== undefined && { last_result: redact(last_result) }),
  });
}

/** Of a session that has done nothing yet. */
export function newState(session: string, bead: string): WorkState {
  return { version: 1, session, bead, current: null, done: [] };
}
