import * as z from "zod/mini";
import { breadcrumbInFile } from "../breadcrumb.ts";
import {
  questionKinds,
  remarkSubjects,
  sessionKinds,
  statuses,
  subagentModes,
  taskStatuses,
  textKinds,
} from "../session-values.ts";

// What session.md says, as data. `session.ts` has the types.

const text = z.string();
const optional = z.exactOptional(text);

const subagentFields = {
  session: optional,
  agent: text,
  model: optional,
  tokens: z.exactOptional(z.number()),
  /** Its session was deleted. */
  deleted: z.exactOptional(z.literal(true)),
};
/** A subagent as the parent's frontmatter lists it. Inline ones have no session, and are one by agent and model. */
export type SubagentRef = z.infer<z.ZodMiniObject<typeof subagentFields>>;
/** A person may have written more into it. */
export const subagentRef: z.ZodMiniType<SubagentRef> = z.looseObject(subagentFields);

const checkedFrontmatter = z.looseObject({
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
});
/** What a person or another program put under these keys is not checked. */
export interface Frontmatter extends z.infer<typeof checkedFrontmatter> {
  /** Since when it is paused. */
  paused?: string;
  bead?: string;
  run?: string;
  branch?: string;
  commit?: string;
  /** The commit as which a run's work was merged. */
  merged?: string;
  engine_sessions?: unknown[];
  /** The runs and sessions whose agents or steps began it. */
  begun_below?: string[];
}
const frontmatter = checkedFrontmatter as unknown as z.ZodMiniType<Frontmatter>;

export const entry = z.discriminatedUnion("kind", [
  z.strictObject({
    kind: z.literal("tool"),
    name: text,
    args: text,
    result: optional,
    /** The whole of a result whose summary is `result`; absent where that is the whole. */
    result_full: optional,
    failed: z.boolean(),
    /** The args above are only the beginning; `full` names the file that holds the whole. */
    cut: z.exactOptional(z.boolean()),
    full: optional,
  }),
  z.strictObject({ kind: z.enum(textKinds), text }),
  z.strictObject({ kind: z.enum(questionKinds), text, id: optional }),
  z.strictObject({ kind: z.literal("answer"), id: text, text }),
  z.strictObject({ kind: z.literal("error"), text, resolution: optional }),
  /** What Clew itself says: no agent and no person said it. */
  z.strictObject({
    kind: z.literal("remark"),
    text,
    about: z.exactOptional(z.enum(remarkSubjects)),
    at: optional,
    /** When that was over. */
    until: optional,
  }),
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
  z.strictObject({
    kind: z.literal("tokens"),
    tokens: z.number(),
    model: optional,
    engine: optional,
    /** The bead that was worked on. */
    task: optional,
    /** What this cost, and what was counted before without its cost. */
    cost_usd: z.exactOptional(z.number()),
  }),
]);

export const phase = z.strictObject({
  id: text,
  title: text,
  agent: z.nullable(text),
  channel: z.nullable(text),
  started: z.nullable(text),
  commit: optional,
  entries: z.array(entry),
});

export const task = z.strictObject({ id: text, content: text, status: z.enum(taskStatuses), priority: optional });

/** `session show --json`. `preamble` is what a person wrote above the first phase, `summary` below a `## Summary`. */
export const sessionDocument = z.strictObject({
  frontmatter,
  tasks: z.array(task),
  phases: z.array(phase),
  preamble: optional,
  summary: optional,
  /** What the agents left of their progress, in the order of time; absent where there is none. */
  breadcrumbs: z.exactOptional(z.array(breadcrumbInFile)),
});

/** A session with the sessions it embeds, by id. One that cannot be shown says why. */
export interface SessionDetails {
  document: z.infer<typeof sessionDocument>;
  path: string;
  embeds: Record<string, SessionDetails | { problem: string }>;
}
export const sessionDetails: z.ZodMiniType<SessionDetails> = z.strictObject({
  document: sessionDocument,
  path: text,
  embeds: z.record(text, z.union([z.lazy(() => sessionDetails), z.strictObject({ problem: text })])),
});

/** A new phase, without its entries, or an entry of the phase with this id. Both are numbered in their order, from 1. */
export const sessionAddition = z.union([
  z.strictObject({ n: z.int(), phase }),
  z.strictObject({ n: z.int(), phase: text, entry }),
]);
export type SessionAddition = z.infer<typeof sessionAddition>;
