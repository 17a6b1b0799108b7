import * as z from "zod/mini";
import { questionKinds } from "../session-values.ts";
import { decides, reads, type ApiOf, type OperationTable } from "./operation.ts";
import { next, page } from "./paging.ts";

const text = z.string();

/** `permission`: an agent asks for one. In its session it stands as `approval_required`. */
const itemKinds = [...questionKinds, "permission"] as const;

/** A session's question. */
const question = z.strictObject({
  id: text,
  session_id: text,
  kind: z.enum(itemKinds),
  text,
  phase: text,
  /** Of the session that asks; a run's is that of its bead. */
  title: z.exactOptional(text),
  /** The run that asks, and its bead. */
  run: z.exactOptional(text),
  bead: z.exactOptional(text),
});
export type InboxItem = z.infer<typeof question>;

/** A bead that the scheduler could not start: no session asks. */
const refusedBead = z.strictObject({
  id: text,
  kind: z.literal("decision_needed"),
  text,
  bead: text,
  /** All beads that wait for the same thing, when there are several. */
  beads: z.exactOptional(z.array(text)),
});
export type RefusedItem = z.infer<typeof refusedBead>;

/** A run that a person stopped: only a person goes on with it. */
const stoppedRun = z.strictObject({ id: text, kind: z.literal("decision_needed"), text, bead: text, run: text });
export type RunItem = z.infer<typeof stoppedRun>;

/** A work session that stopped and needs a person to go on: after a hard stop, at a limit, without an answer to a permission. */
const stoppedWork = z.strictObject({
  id: text,
  kind: z.literal("decision_needed"),
  text,
  session_id: text,
  bead: text,
  /** The command that goes on with it. */
  next: text,
});
export type WorkItem = z.infer<typeof stoppedWork>;

/** A plan that nobody has executed yet. */
const openPlan = z.strictObject({
  id: text,
  kind: z.literal("decision_needed"),
  text,
  session_id: text,
  turn: text,
  /** The command that executes it. */
  next: text,
});
export type PlanItem = z.infer<typeof openPlan>;

export const anyInboxItem = z.union([question, refusedBead, stoppedRun, stoppedWork, openPlan]);
export type AnyInboxItem = z.infer<typeof anyInboxItem>;

export const signalKinds = ["retry", "approve", "reject", "changes", "cancel", "permission"] as const;

const answerReceipt = z.strictObject({
  id: text,
  session_id: text,
  /** The run that the answer is a signal for. It waits until a process drives it; `is_driven` when one does already. */
  run: z.exactOptional(z.strictObject({ id: text, kind: z.enum(signalKinds), is_driven: z.boolean() })),
});
export type AnsweredItem = z.infer<typeof answerReceipt>;

export const inboxOperations = {
  list: {
    ...reads,
    about: "What waits for a person, over all sessions, runs and beads.",
    paged: true,
    request: z.strictObject(page),
    response: z.strictObject({ items: z.array(anyInboxItem), ...next }),
    errors: [],
  },
  answer: {
    ...decides,
    about: "Answers a question: in the session that asked, or as a signal to the run that waits.",
    request: z.strictObject({ id: text, text }),
    response: answerReceipt,
    errors: ["unknown_inbox_item", "not_possible_now", "damaged_session", "damaged_run"],
  },
} as const satisfies OperationTable;

export type InboxApi = ApiOf<typeof inboxOperations>;
