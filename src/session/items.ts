import type { Entry, PhaseEntry, TasksEntry } from "../contract/session.ts";

/** A phase as its heading and the comment below it give it. */
export interface PhaseItem extends Omit<PhaseEntry, "opened"> {
  /** The comment's content; absent below a heading that a person wrote. */
  mark?: PhaseMark;
}

export interface PhaseMark {
  id: string;
  at: string;
  commit?: string;
  /** In a run's session: the number of the event that opened the phase. */
  journal?: number;
  /** In the session of a subagent: the call that started it. */
  call?: string;
  /** In the session of an agent's work: the name of the transcript that the phase follows from. */
  transcript?: string;
}

/** What a body consists of, in order. `title` and `summary` are never logged: one is the head, one a person's. */
export type Item = Entry | TasksEntry | PhaseItem | { kind: "title"; text: string } | { kind: "summary"; text: string };

/** What the last block of a body is, as far as the next entry has to know. */
export type Tail = "no-phase" | "tools" | "summary" | "other";
