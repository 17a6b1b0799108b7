import type { AgentResult } from "../../contract/engine.ts";
import type { StopReason } from "../../contract/api/work.ts";
import { ClewError } from "../../contract/errors.ts";
import type { WorkState } from "../../contract/work-state.ts";
import type { EngineProblem } from "../../engine/problems.ts";
import { misfit } from "./advance.ts";
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

/** What becomes of the current task when its agent has ended so. */
export function judgeWork({ end, news, switchedTo }: WorkAgentEnd, state: WorkState): WorkVerdict {
  const { verdict } = end;
  if (switchedTo !== undefined) {
    const branch = switchedTo === null ? "no branch" : `the branch ${switchedTo}`;
    return { reason: "branch", error: `${branch} was checked out while the agent worked` };
  }
  if (verdict.success) {
    const error = misfit(state, verdict.result);
    return error === undefined
      ? { reason: "done", result: verdict.result }
      : { reason: "failed", error, isRepairable: true };
  }
  if (news.permission) return { reason: "permission", error: news.permission.message };
  if (news.limit) return { reason: "limit", error: news.limit.message };
  if (verdict.result?.status === "paused") return { reason: "paused", error: verdict.result.summary };
  if (end.outcome === "interrupted") return { reason: "interrupted", error: verdict.error };
  if (end.problem && recoverable.has(end.problem.kind)) return { reason: "engine", error: verdict.error };
  const isRepairable = end.outcome === "completed" && verdict.result === undefined;
  return { reason: "failed", error: verdict.error, ...(isRepairable && { isRepairable: true as const }) };
}

/** What becomes of work that was refused on the way: a bead that another one holds may be free later. Throws any other fault. */
export function judgeRefusal(error: unknown): WorkVerdict {
  if (!(error instanceof ClewError)) throw error;
  const reason = error.code === "not_possible_now" ? "waiting" : "failed";
  return { reason, error: `${error.message} (${error.hint})` };
}
