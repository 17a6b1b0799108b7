import * as z from "zod/mini";

const text = z.string();

/** What keeps an agent's result from counting, and what mends it. */
export const missingEvidence = z.object({
  kind: z.enum(["evidence_missing", "evidence_stale", "command_failed"]),
  message: text,
  fix: text,
});
export type MissingEvidence = z.infer<typeof missingEvidence>;

/** What a gate was passed by. */
export const gatePass = z.object({
  /** Of the evidence. */
  id: text,
  command: text,
  /** What stood in the worktree, before and after it; null where that changed, or git could not tell. */
  tree: z.nullable(text),
});
export type GatePass = z.infer<typeof gatePass>;
