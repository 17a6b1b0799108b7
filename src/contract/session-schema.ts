import * as z from "zod/mini";
import { useSchemaMessages } from "./schema-messages.ts";
import {
  agentPattern,
  channelPattern,
  questionKinds,
  remarkSubjects,
  sessionKinds,
  statuses,
  subagentModes,
  taskStatuses,
  textKinds,
  questionIdPattern,
  sessionIdPattern,
} from "./session-values.ts";

useSchemaMessages();

/**
 * What may be logged and what frontmatter may say, checked where it enters. `test/adding.test.ts` keeps this together with
 * what `api/session-document.ts` has.
 */

/** Limits on everything that comes from outside. */
const limits = {
  /** Bytes of one entry's text; longer ones are refused, so that one line cannot fill a disk. */
  text: 8 * 1024 * 1024,
  title: 200,
  name: 200,
  tasks: 1000,
} as const;

const noNul = z.refine<string>((text) => !text.includes("\0"), { error: "must not contain NUL characters" });
const text = z.string().check(z.maxLength(limits.text), noNul);
const filledText = text.check(z.refine<string>((value) => value.trim() !== "", { error: "must not be empty" }));
const line = z.string().check(z.minLength(1), z.maxLength(limits.name), noNul);

const agent = line.check(z.regex(agentPattern, { error: "must be NAME or NAME@VERSION, without spaces" }));
const channel = line.check(z.regex(channelPattern, { error: "must be one word, without spaces, `#` or `@`" }));
const model = line.check(z.regex(/^[^\s()]+$/u, { error: "must be one word, without spaces or brackets" }));
const sessionId = line.check(z.regex(sessionIdPattern, { error: "must be a session id: [a-z0-9-]" }));
const questionId = z.string().check(z.regex(questionIdPattern, { error: "must look like q-3f9k2a" }));
const count = z.int().check(z.minimum(0));
const instant = z.string().check(
  z.refine<string>((value) => /^\d{4}-\d\d-\d\dT/.test(value) && !Number.isNaN(Date.parse(value)), {
    error: "must be an ISO 8601 time such as 2026-11-15T09:30:00Z",
  }),
);

const task = z.strictObject({
  id: line,
  content: filledText,
  status: z.enum(taskStatuses),
  priority: z.optional(line),
});

/** One line of `log --batch`. */
export const logEntrySchema = z.discriminatedUnion("kind", [
  z.strictObject({
    kind: z.literal("phase"),
    title: text.check(z.minLength(1)),
    agent: z.optional(agent),
    channel: z.optional(channel),
  }),
  z.strictObject({
    kind: z.literal("tool"),
    name: line.check(z.regex(/^\S+$/u, { error: "must not contain spaces" })),
    args: z._default(text, ""),
    result: z.optional(text),
    result_full: z.optional(text),
    failed: z._default(z.boolean(), false),
    cut: z.optional(z.boolean()),
    full: z.optional(
      z.string().check(
        z.regex(/^\.clew\/transcripts\/[a-z0-9-]+\/[0-9a-f]{64}\.txt$/, {
          error: "must name a file under .clew/transcripts/",
        }),
      ),
    ),
  }),
  ...textKinds.map((kind) => z.strictObject({ kind: z.literal(kind), text: filledText })),
  ...questionKinds.map((kind) =>
    z.strictObject({ kind: z.literal(kind), text: filledText, id: z.optional(questionId) }),
  ),
  z.strictObject({ kind: z.literal("answer"), id: sessionId, text: filledText }),
  z.strictObject({ kind: z.literal("error"), text: filledText, resolution: z.optional(filledText) }),
  z.strictObject({
    kind: z.literal("remark"),
    text: filledText,
    about: z.optional(z.enum(remarkSubjects)),
    at: z.optional(instant),
    until: z.optional(instant),
  }),
  z.strictObject({ kind: z.literal("user"), text: filledText, action: z.optional(filledText) }),
  z.strictObject({
    kind: z.literal("subagent"),
    agent,
    model: z.optional(model),
    mode: z.optional(z.enum(subagentModes)),
    session: z.optional(sessionId),
    summary: z.optional(text),
    content: z.optional(text),
    tokens: z.optional(count),
  }),
  z.strictObject({
    kind: z.literal("tokens"),
    tokens: count,
    model: z.optional(model),
    engine: z.optional(line),
    task: z.optional(line),
    cost_usd: z.optional(z.number().check(z.minimum(0))),
  }),
  z.strictObject({ kind: z.literal("tasks"), tasks: z.array(task).check(z.maxLength(limits.tasks)) }),
]);

/** The fields of a new session. */
export const startSchema = z.strictObject({
  title: text.check(z.minLength(1)),
  channel: z.optional(channel),
  agent: z.optional(agent),
  model: z.optional(model),
  kind: z._default(z.enum(sessionKinds), "work"),
  parent: z.optional(sessionId),
  bead: z.optional(line),
});

/** Frontmatter as a person or another program may have left it: strict on what Clew relies on, open for the rest. */
export const frontmatterSchema = z.looseObject({
  type: z.literal("session", { error: "must be `session`" }),
  session_id: sessionId,
  title: z.optional(z.string()),
  started: instant,
  status: z.enum(statuses, { error: `must be one of ${statuses.join(", ")}` }),
  kind: z._default(z.enum(sessionKinds), "work"),
  channel: z.optional(z.string()),
  model: z.optional(z.string()),
  participants: z.optional(z.array(z.string())),
  tokens_used: z.optional(z.number().check(z.minimum(0))),
  cost_usd: z.optional(z.number().check(z.minimum(0))),
  subagents: z.optional(
    z.array(
      z.looseObject({
        session: z.optional(z.string()),
        agent: z.string(),
        model: z.optional(z.string()),
        tokens: z.optional(z.number()),
      }),
    ),
  ),
  resume_point: z.optional(z.string()),
  ended: z.optional(instant),
  parent: z.optional(z.string()),
  engine_sessions: z.optional(z.array(z.unknown())),
  error: z.optional(z.string()),
  archived: z.optional(z.string()),
});

/** What is wrong with a value, as `field: message`, for a person. */
export function firstProblem(error: z.core.$ZodError): string {
  const issue = error.issues[0]!;
  const place = issue.path.map(String).join(".");
  const isKind = issue.code === "invalid_union" && (place === "kind" || place === "entry.kind");
  const message = isKind ? `must be one of ${entryKinds().join(", ")}` : issue.message;
  return place === "" ? message : `${place}: ${message}`;
}

function entryKinds(): string[] {
  return logEntrySchema.def.options.map((option) => option.def.shape.kind.def.values[0]!);
}
