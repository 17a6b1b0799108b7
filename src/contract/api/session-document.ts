import * as z from "zod/mini";
import {
  questionKinds,
  sessionKinds,
  statuses,
  subagentModes,
  taskStatuses,
  textKinds,
  type Entry,
  type Frontmatter,
  type Phase,
  type SessionDocument,
  type SubagentRef,
} from "../session.ts";

// What session.md says, as data. The types are written out in `session.ts`, where everybody reads them.

const text = z.string();
const optional = z.exactOptional(text);

/** As the frontmatter has it; a person may have written more into it. */
export const subagentRef: z.ZodMiniType<SubagentRef> = z.looseObject({
  session: optional,
  agent: text,
  model: optional,
  tokens: z.exactOptional(z.number()),
  deleted: z.exactOptional(z.literal(true)),
});

const frontmatter = z.looseObject({
  type: z.literal("session"),
  session_id: text,
  title: text,
  started: text,
  status: z.enum(statuses),
  kind: z.enum(sessionKinds),
  channel: optional,
  model: optional,
  participants: z.exactOptional(z.array(text)),
  tokens_used: z.exactOptional(z.number()),
  cost_usd: z.exactOptional(z.number()),
  subagents: z.exactOptional(z.array(subagentRef)),
  resume_point: optional,
  ended: optional,
  parent: optional,
  error: optional,
  archived: optional,
}) as unknown as z.ZodMiniType<Frontmatter>;

export const entry: z.ZodMiniType<Entry> = z.discriminatedUnion("kind", [
  z.strictObject({
    kind: z.literal("tool"),
    name: text,
    args: text,
    result: optional,
    result_full: optional,
    failed: z.boolean(),
    cut: z.exactOptional(z.boolean()),
    full: optional,
  }),
  z.strictObject({ kind: z.enum(textKinds), text }),
  z.strictObject({ kind: z.enum(questionKinds), text, id: optional }),
  z.strictObject({ kind: z.literal("answer"), id: text, text }),
  z.strictObject({ kind: z.literal("error"), text, resolution: optional }),
  z.strictObject({ kind: z.literal("user"), text, action: optional }),
  z.strictObject({
    kind: z.literal("subagent"),
    agent: text,
    model: optional,
    mode: z.enum(subagentModes),
    session: optional,
    summary: optional,
    content: optional,
    tokens: z.exactOptional(z.number()),
  }),
  z.strictObject({ kind: z.literal("tokens"), tokens: z.number(), model: optional }),
]);

export const phase: z.ZodMiniType<Phase> = z.strictObject({
  id: text,
  title: text,
  agent: z.nullable(text),
  channel: z.nullable(text),
  started: z.nullable(text),
  commit: optional,
  entries: z.array(entry),
});

const task = z.strictObject({ id: text, content: text, status: z.enum(taskStatuses), priority: optional });

/** `session show --json`. */
export const sessionDocument: z.ZodMiniType<SessionDocument> = z.strictObject({
  frontmatter,
  tasks: z.array(task),
  phases: z.array(phase),
  preamble: optional,
  summary: optional,
});
