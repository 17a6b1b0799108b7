import type { AgentResult } from "../../contract/engine.ts";
import type { StopReason } from "../../contract/api/work.ts";
import type { EngineProblem } from "../../engine/problems.ts";
import type { WorkAgentEnd } from "./work-agent.ts";

export interface WorkVerdict {
  reason: StopReason;
  /** What closes the task, when it is done. */
  result?: AgentResult;
  error?: string;
  /** Whether the agent ended well and only its result was wrong. */
  isRepairable?: true;
}

/** What passes by itself, or with a person's help: the work is paused. Anything else that fails is a hard stop. */
const recoverable = new Set<EngineProblem>(["rate_limited", "overloaded", "out_of_credit", "not_logged_in"]);

/** Whether an agent that was to go on in its engine's own session found none there. */
export function isSessionLost({ end, hasWorked }: WorkAgentEnd): boolean {
  const kind = end.problem?.kind;
  return !hasWorked && end.outcome === "failed" && (kind === undefined || kind === "unknown_session");
}

/** What becomes of a task whose agent has ended so. */
export function judgeWork({ end, news, switchedTo }: WorkAgentEnd): WorkVerdict {
  const { verdict } = end;
  if (switchedTo !== undefined) {
    const branch = switchedTo === null ? "no branch" : `the branch ${switchedTo}`;
    return { reason: "branch", error: `${branch} was checked out while the agent worked` };
  }
  if (verdict.success) return { reason: "done", result: verdict.result };
  if (news.permission) return { reason: "permission", error: news.permission.message };
  if (news.limit) return { reason: "limit", error: news.limit.message };
  if (verdict.result?.status === "paused") return { reason: "paused", error: verdict.result.summary };
  if (end.outcome === "interrupted") return { reason: "interrupted", error: verdict.error };
  if (end.problem && recoverable.has(end.problem.kind)) return { reason: "engine", error: verdict.error };
  const isRepairable = end.outcome === "completed" && verdict.result === undefined;
  return { reason: "failed", error: verdict.error, ...(isRepairable && { isRepairable: true as const }) };
}
