import type { HookAnswer } from "../../contract/hook.ts";
import type { RedactValue } from "../../contract/redacted.ts";
import type { HookQuestion } from "./answer.ts";
import { hookLine, textIn } from "./hook-line.ts";
import type { HookFiles } from "./ports.ts";

interface Parts {
  files: Pick<HookFiles, "spool">;
  redact: RedactValue;
}

/**
 * Keeps that a call was denied, and why: no hook tells of its end, so that it would look like one that was made. Only of agents that the
 * user started; the others' sessions come from their streams. Throws an Error in words when it cannot be kept.
 */
export function keepDenial({ files, redact }: Parts, question: HookQuestion, answer: HookAnswer, at: string): void {
  const { event, engine, fields, folder, caller } = question;
  const session = textIn(fields, "session_id");
  if (event !== "PreToolUse" || answer.decision !== "deny" || caller || session === undefined) return;
  const reason = answer.reason ?? "not allowed here";
  const denial = { event: "PermissionDenied", engine, folder, caller, via: "command" as const, at };
  files.spool(engine, session, hookLine(redact, { ...denial, fields: { ...fields, reason } }).line);
}
