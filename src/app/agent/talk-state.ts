import type { LiveAgent, TalkState } from "../../contract/live-agent.ts";
import { assumeRedacted, type Redact, type Redacted } from "../../contract/redacted.ts";

/** The talks whose agents live, one file each: what is left when a process that leads one dies. */
export interface TalkStates {
  /** Undefined when there is none, or when it cannot be read. */
  read(session: string): TalkState | undefined;
  /** On disk when it returns. */
  write(session: string, state: Redacted<TalkState>): void;
  remove(session: string): void;
}

/** A state as it may be written. Names of Clew's own are not redacted: a process is found by its mark, a transcript by its name. */
export function talkStateOf(session: string, { model, ...names }: LiveAgent, redact: Redact): Redacted<TalkState> {
  const agent = { ...names, ...(model !== undefined && { model: redact(model) }) };
  return assumeRedacted({ version: 1, session, agent });
}
