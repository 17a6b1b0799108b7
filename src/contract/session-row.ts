import type * as z from "zod/mini";
import type { InboxItem } from "./api/inbox.ts";
import type { filter, ListedSession } from "./api/session-list.ts";

/** One session in the index: all that `list` and `stats` need, a function of the session's file alone. */
export interface SessionRow extends Omit<ListedSession, "path" | "parent"> {
  /** `channel` and those of the phases. */
  channels: string[];
  /** What `tokens_used` and `cost_usd` are made of; these add up to them. */
  used: UsedShare[];
  /** Names of the engines that worked in it. */
  engines: string[];
  /** The session whose subagent it is. */
  parent: string | null;
  /** The bead that was worked on, and the branch; a run's is the one that it merges into. */
  bead: string | null;
  branch: string | null;
  /** A run's merge has landed. */
  merged: boolean;
  archived: boolean;
  /** Checksum of the file's body: two rows with the same one describe the same text. */
  check: string;
}

/** A part of what a session used, and whose it is; null where nothing tells. */
export interface UsedShare {
  agent: string | null;
  channel: string | null;
  engine: string | null;
  bead: string | null;
  tokens: number | null;
  /** Whole millionths of a dollar: these add up exactly. */
  cost_micro_usd: number | null;
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

/** What a list is asked for; the index also answers for statuses and kinds that it does not know. */
export interface RowFilter extends Omit<z.infer<z.ZodMiniObject<typeof filter>>, "status" | "kind"> {
  status?: string | undefined;
  kind?: string | undefined;
  /** Subagents' sessions of this one. */
  parent?: string | undefined;
  /** Those that come after this one in lists. */
  after?: RowPlace | undefined;
}

/** Where a session stands in lists, newest first. */
export interface RowPlace {
  startedMs: number;
  session_id: string;
}

/** Groupings whose totals the index holds. */
export const heldGroupings = ["agent", "channel", "status", "engine"] as const;
export type HeldGroupBy = (typeof heldGroupings)[number];
/** `merge`: by the bead whose work was merged, with all that was ever done for it. */
export const groupings = [...heldGroupings, "bead", "branch", "merge"] as const;
export type GroupBy = (typeof groupings)[number];
