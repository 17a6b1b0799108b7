import * as z from "zod/mini";
import { exportFormats } from "../report-values.ts";
import { sessionKinds, statuses } from "../session-values.ts";
import { filter } from "./session-list.ts";

// What the sessions of a period add up to.

const count = z.int();
const known = z.nullable(z.number());

/** Sums are null where nothing was counted in any of the sessions. */
const figures = { tokens_used: known, cost_usd: known, duration_ms: known, errors: count };
const calls = { tool_calls: count, failed_tool_calls: count };

const periodDay = z.strictObject({
  /** In UTC. A session counts on the day on which it began. */
  day: z.string(),
  sessions: count,
  failed: count,
  ...figures,
});
export type PeriodDay = z.infer<typeof periodDay>;

const periodSession = z.strictObject({
  session_id: z.string(),
  title: z.string(),
  status: z.enum(statuses),
  kind: z.enum(sessionKinds),
  started: z.string(),
  ...figures,
  ...calls,
});
export type PeriodSession = z.infer<typeof periodSession>;

export const period = z.strictObject({
  /** The instants that were asked for; null where none was. */
  since: z.nullable(z.string()),
  until: z.nullable(z.string()),
  total: z.strictObject({ sessions: count, failed: count, ...figures, ...calls }),
  /** Those on which a session began, the first one first. */
  days: z.array(periodDay),
  tools: z.array(z.strictObject({ name: z.string(), calls: count, failed: count })),
  /** Errors, and calls that failed: those of the newest session first. */
  failures: z.array(
    z.strictObject({
      session_id: z.string(),
      phase: z.nullable(z.string()),
      kind: z.enum(["error", "call"]),
      text: z.string(),
      /** What the call gave, or how the error was resolved. */
      result: z.exactOptional(z.string()),
    }),
  ),
  /** Those that are not listed. */
  more_failures: count,
  /** Newest first. The figures of each are its own; subagents' sessions stand beside those of their agents. */
  sessions: z.array(periodSession),
});
export type Period = z.infer<typeof period>;

export const periodRequest = {
  since: filter.since,
  /** Sessions started before then: a date, or how long ago. */
  until: z.optional(z.string()),
  agent: filter.agent,
  channel: filter.channel,
  kind: filter.kind,
};
export const renderPeriodRequest = { ...periodRequest, format: z.enum(exportFormats) };
export type PeriodRequest = z.infer<z.ZodMiniObject<typeof periodRequest>>;
