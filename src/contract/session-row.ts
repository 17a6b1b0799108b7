import type { QuestionKind, SessionKind, Status } from "./session.ts";

/** One session in the index: all that `list` and `stats` need, a function of the session's file alone. */
export interface SessionRow {
  session_id: string;
  title: string;
  status: Status;
  started: string;
  ended: string | null;
  channel: string | null;
  /** That one and those of the phases. */
  channels: string[];
  participants: string[];
  model: string | null;
  tokens_used: number | null;
  /** What `tokens_used` is made of, by the agent that used them and by channel. */
  agent_tokens: TokenShare[];
  channel_tokens: TokenShare[];
  cost_usd: number | null;
  phases: number;
  errors: number;
  kind: SessionKind;
  /** Names of the engines that worked in it. */
  engines: string[];
  archived: boolean;
  /** Checksum of the file's body: two rows with the same one describe the same text. */
  check: string;
}

/** A part of a session's tokens; null where nothing names whose it is. */
export interface TokenShare {
  name: string | null;
  tokens: number;
}

export interface InboxItem {
  id: string;
  session_id: string;
  kind: QuestionKind;
  text: string;
  phase: string;
  /** The run that asks, and its bead; the index has neither. */
  run?: string;
  bead?: string;
}

/** In the inbox, a bead that the scheduler could not start: no session asks. */
export interface RefusedItem {
  id: string;
  kind: "decision_needed";
  text: string;
  bead: string;
  /** All beads that wait for the same thing, when there are several. */
  beads?: string[];
}

/** In the inbox, a run that a person stopped: only a person goes on with it. */
export interface RunItem extends RefusedItem {
  run: string;
}

export interface UnreadableSession {
  session_id: string;
  path: string;
  reason: string;
}

export interface RowFilter {
  status?: string;
  /** `name` matches every version of the agent, `name@version` only that one. */
  agent?: string;
  /** Sessions with a phase there. */
  channel?: string;
  /** ISO 8601 instant: sessions started at or after it. */
  since?: string;
  kind?: string;
  /** Archived sessions are left out unless asked for. */
  archived?: boolean;
}

export const groupings = ["agent", "channel", "status", "engine"] as const;
export type GroupBy = (typeof groupings)[number];

/**
 * `stats --by`: a session counts in the group of each of its agents and channels, its tokens only where they were used.
 * `failure_rate` is failed sessions by all sessions of the group.
 */
export interface StatsGroup {
  key: string;
  sessions: number;
  tokens_used: number;
  avg_duration_ms: number | null;
  failure_rate: number;
}
