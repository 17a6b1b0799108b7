import * as z from "zod/mini";
import { breadcrumbKinds } from "../breadcrumb-values.ts";
import { exportFormats, timelineKinds } from "../report-values.ts";
import { sessionKinds, statuses } from "../session-values.ts";
import { sessionDocument } from "./session-document.ts";
import { sessionStats } from "./session-list.ts";

// What is told of sessions beside their own text: trees, timelines, exports.

const count = z.int();
const money = z.nullable(z.number());

/** A session with those of its subagents. Tokens and cost are its own; `total` has all below it, too, each once. */
export interface SessionNode {
  session_id: string;
  title: string;
  status: (typeof statuses)[number];
  kind: (typeof sessionKinds)[number];
  participants: string[];
  started: string;
  ended: string | null;
  tokens_used: number | null;
  cost_usd: number | null;
  total: { sessions: number; tokens_used: number | null; cost_usd: number | null };
  children: SessionNode[];
}
const sessionNode: z.ZodMiniType<SessionNode> = z.strictObject({
  session_id: z.string(),
  title: z.string(),
  status: z.enum(statuses),
  kind: z.enum(sessionKinds),
  participants: z.array(z.string()),
  started: z.string(),
  ended: z.nullable(z.string()),
  tokens_used: z.nullable(z.number()),
  cost_usd: money,
  total: z.strictObject({ sessions: count, tokens_used: z.nullable(z.number()), cost_usd: money }),
  children: z.array(z.lazy(() => sessionNode)),
});

export const sessionTree = z.strictObject({ sessions: z.array(sessionNode) });

/** Something that happened in a session. `at` is null where only its place among the others is known. */
const timelineEvent = z.strictObject({
  at: z.nullable(z.string()),
  kind: z.enum(timelineKinds),
  text: z.string(),
  /** The phase that it stands in. */
  phase: z.exactOptional(z.string()),
  /** Of a breadcrumb. */
  breadcrumb: z.exactOptional(z.enum(breadcrumbKinds)),
  depth: z.exactOptional(count),
  failed: z.exactOptional(z.literal(true)),
  tokens: z.exactOptional(z.number()),
  cost_usd: z.exactOptional(z.number()),
  duration_ms: z.exactOptional(z.number()),
});
export type TimelineEvent = z.infer<typeof timelineEvent>;

export const sessionTimeline = z.strictObject({ session_id: z.string(), events: z.array(timelineEvent) });
export type SessionTimeline = z.infer<typeof sessionTimeline>;

/** A session as `show` tells it, with its timeline and what it adds up to. */
const exportedSession = z.extend(sessionDocument, { timeline: z.array(timelineEvent), stats: sessionStats });
export type ExportedSession = z.infer<typeof exportedSession>;
export const sessionExport = z.strictObject({ sessions: z.array(exportedSession) });

/** Sessions as one text for people. */
export const renderedSessions = z.strictObject({ format: z.enum(exportFormats), text: z.string() });
