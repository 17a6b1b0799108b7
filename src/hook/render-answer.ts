import type { HookAnswer, HookEngine } from "../contract/hook.ts";
import { answerFields } from "./answer-fields.ts";
import { forEngine } from "./engine-answer.ts";

/** What `clew hook` prints, and how it exits. */
export interface CommandAnswer {
  stdout: string;
  stderr: string;
  exitCode: 0 | 2;
}

/** What an engine gets that asked over HTTP, with status 200; an empty body says nothing. */
export interface HttpAnswer {
  contentType: "application/json" | "text/plain";
  body: string;
}

/**
 * An answer for an engine that called a command. A plain deny is exit 2 with the reason on stderr, which every engine understands and
 * which needs no reading; Codex takes that for a failure before a compaction.
 */
export function commandAnswer(engine: HookEngine, event: string, given: HookAnswer): CommandAnswer {
  const answer = forEngine(engine, event, given);
  const isPlainDeny = answer.decision === "deny" && answer.stop === undefined && canBlock(engine, event);
  if (isPlainDeny) return { stdout: "", stderr: `${denial(answer)}\n`, exitCode: 2 };
  const { body } = httpAnswer(engine, event, answer);
  return { stdout: body === "" ? "" : `${body}\n`, stderr: "", exitCode: 0 };
}

/** An answer for an engine that asked over HTTP. */
export function httpAnswer(engine: HookEngine, event: string, given: HookAnswer): HttpAnswer {
  const answer = forEngine(engine, event, given);
  // What stands on stdout joins the words for the summary; JSON would be taken for an answer.
  if (event === "PreCompact" && answer.decision !== "deny" && answer.stop === undefined) {
    return { contentType: "text/plain", body: answer.context ?? "" };
  }
  const fields = answerFields(engine, event, answer);
  const isEmpty = Object.keys(fields).length === 0;
  return { contentType: "application/json", body: isEmpty ? "" : JSON.stringify(fields) };
}

/** Where exit 2 means no. After a stop it would mean: go on. */
function canBlock(engine: HookEngine, event: string): boolean {
  if (event === "PreCompact") return engine !== "codex";
  return event === "PreToolUse" || event === "UserPromptSubmit";
}

function denial({ reason, context }: HookAnswer): string {
  return [reason ?? "not allowed here", context].filter(Boolean).join("\n\n");
}
