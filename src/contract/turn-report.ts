import * as z from "zod/mini";
import { json } from "./json.ts";
import { actionTypes } from "./plan.ts";
import { actionStatuses, runStatuses } from "./turn.ts";

const text = z.string();
const count = z.int().check(z.minimum(0));
const instant = text.check(z.regex(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/));

/** Who let an action be done, or did not. */
const approval = z.object({
  /** `flag` is -y; `policy` a rule; `none_needed` where nothing is asked. */
  by: z.enum(["user", "flag", "policy", "none_needed"]),
  /** `approve_rest` approved all that follow, too; `none` where nothing was asked. */
  answer: z.enum(["approve", "approve_rest", "deny", "stop", "none"]),
  /** Whether a person changed the action before approving it. Its parameters are what was done. */
  edited: z.exactOptional(z.boolean()),
  /** Why a rule denied it, or what the person said. */
  reason: z.exactOptional(text),
});
export type Approval = z.infer<typeof approval>;

const loggedAction = z.object({
  /** Its place in the plan, from 1. */
  action: count,
  type: z.enum(actionTypes),
  description: text,
  status: z.enum(actionStatuses),
  /** What the action was given: path, content, command … */
  parameters: z.record(text, json),
  /** What happened, in words: why it failed, was skipped or denied. */
  details: z.exactOptional(text),
  output: z.exactOptional(text),
  /** A file beside the report that has all of it, where the report has not. */
  output_file: z.exactOptional(text),
  /** What the person answered to CHAT_WITH_USER. */
  reply: z.exactOptional(text),
  exit_code: z.exactOptional(z.int()),
  duration_ms: count,
  /** Absent when the action's turn never came. */
  approval: z.exactOptional(approval),
});
export type LoggedAction = z.infer<typeof loggedAction>;

const memoOutcome = z.object({
  answer: z.enum(["accepted", "rejected", "none"]),
  /** Absent when the plan changes no memo. */
  by: z.exactOptional(z.enum(["user", "setting", "no_terminal"])),
  changes: z.array(
    z.object({
      change: z.enum(["add", "remove"]),
      text,
      /** Why an accepted change changed nothing. */
      ignored: z.exactOptional(text),
    }),
  ),
});

const runSummary = z.object({
  status: z.enum(runStatuses),
  turn: text,
  plan_title: text,
  agent: text,
  started_at: instant,
  ended_at: instant,
  duration_ms: count,
  /** How many actions ended with each status. */
  counts: z.object({ success: count, failure: count, skipped: count, denied: count }),
  /** Whether plan.md is another than the one that was written. */
  plan_changed: z.exactOptional(z.boolean()),
  /** What the run as a whole has to say, such as who stopped it. */
  details: z.exactOptional(text),
  memos: memoOutcome,
});

/** `report.md`: what came of a plan. Its page is docs/formats/report.md. */
export const executionReport = z.object({
  format: z.literal(1),
  run_summary: runSummary,
  action_log: z.array(loggedAction),
});
export type ExecutionReport = z.infer<typeof executionReport>;
