import * as z from "zod/mini";
import { sessionKinds, statuses } from "../session-values.ts";
import { next } from "./paging.ts";
import { subagentRef } from "./session-document.ts";

const count = z.int();

/** A session as lists show it. */
export const listedSession = z.strictObject({
  session_id: z.string(),
  title: z.string(),
  status: z.enum(statuses),
  started: z.string(),
  ended: z.nullable(z.string()),
  channel: z.nullable(z.string()),
  participants: z.array(z.string()),
  model: z.nullable(z.string()),
  /** Null where none were counted. */
  tokens_used: z.nullable(z.number()),
  cost_usd: z.nullable(z.number()),
  phases: count,
  errors: count,
  kind: z.enum(sessionKinds),
  /** Of a subagent's session: that of the agent it works for. */
  parent: z.exactOptional(z.string()),
  path: z.string(),
});
export type ListedSession = z.infer<typeof listedSession>;

/** A session whose file cannot be read as one, with the reason. */
export const unreadableFile = z.strictObject({ path: z.string(), reason: z.string() });

export const sessionList = z.strictObject({
  sessions: z.array(listedSession),
  unreadable: z.array(unreadableFile),
  ...next,
});
export type SessionList = z.infer<typeof sessionList>;

/** What a list can be asked for. */
export const filter = {
  /** `running` is `active`. */
  status: z.optional(z.enum([...statuses, "running"])),
  /** `name` matches every version of the agent, `name@version` only that one. */
  agent: z.optional(z.string()),
  /** Sessions with a phase there. */
  channel: z.optional(z.string()),
  /** Sessions started then or later: a date (`2026-11-01`, ISO 8601), `today`, or how long ago (`1d`, `2w`, `12h`). */
  since: z.optional(z.string()),
  kind: z.optional(z.enum(sessionKinds)),
  /** Archived sessions are left out unless asked for. */
  archived: z.optional(z.boolean()),
};

/** What one session adds up to. */
export const sessionStats = z.strictObject({
  session_id: z.string(),
  title: z.string(),
  status: z.enum(statuses),
  /** Null while it has not ended. */
  duration_ms: z.nullable(z.number()),
  tokens_used: z.nullable(z.number()),
  cost_usd: z.nullable(z.number()),
  phases: count,
  tool_calls: count,
  failed_tool_calls: count,
  decisions: count,
  errors: count,
  user_messages: count,
  tools: z.array(z.strictObject({ name: z.string(), calls: count, failed: count })),
  subagents: z.array(subagentRef),
  /**
   * What each engine used, in the session itself and in subagents without a session of their own: these add up to `tokens_used` and
   * `cost_usd`. What `children` used, rounds too, counts there. Null where it is not known which one it was.
   */
  engines: z.array(
    z.strictObject({
      engine: z.nullable(z.string()),
      /** As far as there are breadcrumbs of them. */
      rounds: count,
      tokens_used: z.nullable(z.number()),
      cost_usd: z.nullable(z.number()),
    }),
  ),
  /** The sessions of subagents, and of theirs, each once, in the order of the tree. */
  children: z.array(
    z.strictObject({
      session_id: z.string(),
      title: z.string(),
      status: z.enum(statuses),
      /** 1 for its own, 2 for those below them. */
      depth: count,
      tokens_used: z.nullable(z.number()),
      cost_usd: z.nullable(z.number()),
      duration_ms: z.nullable(z.number()),
    }),
  ),
  /** With all of these. */
  total: z.strictObject({
    sessions: count,
    tokens_used: z.nullable(z.number()),
    cost_usd: z.nullable(z.number()),
  }),
});
export type SessionStats = z.infer<typeof sessionStats>;

/**
 * A session counts in the group of each of its agents, channels and engines, its tokens only where they were used, its cost
 * only where one of them can have caused it; what belongs to none counts for `(none)`. `failure_rate` is failed sessions by all
 * sessions of the group.
 */
export const statsGroup = z.strictObject({
  key: z.string(),
  sessions: count,
  /** Null where no session of the group counted any; the same for its cost. */
  tokens_used: z.nullable(z.number()),
  cost_usd: z.nullable(z.number()),
  avg_duration_ms: z.nullable(z.number()),
  failure_rate: z.number(),
});
export type StatsGroup = z.infer<typeof statsGroup>;
