import type { InboxItem } from "./api/inbox.ts";
import type { SessionKind, Status } from "./session.ts";

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

/** A question as the index has it. */
export interface IndexedItem extends InboxItem {
  /** When its session began. */
  started: string;
}

export interface UnreadableSession {
  session_id: string;
  path: string;
  reason: string;
}

export interface RowFilter {
  status?: string | undefined;
  /** `name` matches every version of the agent, `name@version` only that one. */
  agent?: string | undefined;
  /** Sessions with a phase there. */
  channel?: string | undefined;
  /** ISO 8601 instant: sessions started at or after it. */
  since?: string | undefined;
  kind?: string | undefined;
  /** Archived sessions are left out unless asked for. */
  archived?: boolean | undefined;
  /** Those that come after this one in lists. */
  after?: RowPlace | undefined;
}

/** Where a session stands in lists, newest first. */
export interface RowPlace {
  startedMs: number;
  session_id: string;
}

export const groupings = ["agent", "channel", "status", "engine"] as const;
export type GroupBy = (typeof groupings)[number];
