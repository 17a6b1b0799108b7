import type { AgentEnd } from "../../app/engine/agents.ts";
import type { EngineState } from "../../engine/fold.ts";
import { problemIn, wayOut } from "../../engine/problems.ts";
import { judge, type HandedIn } from "../../engine/result-contract.ts";
import type { ChildEnd } from "../shell/run-child.ts";
import type { AgentTimeouts } from "./agent-limits.ts";
import type { Engine } from "./engine.ts";

/** What an agent was doing when it was asked to stop, or why it was given up. */
export type StoppedAt = "work" | "rest" | "start" | "problem" | "result_call";

interface Ending {
  end: ChildEnd;
  /** The end of what the engine wrote to stderr. */
  stderr: string;
  state: EngineState;
  handedIn: HandedIn;
  stoppedAt: StoppedAt | undefined;
  isWorking: boolean;
  timeouts: AgentTimeouts;
}

/** What became of an agent whose process has ended. */
export function agentEnd(ending: Ending, engine: Engine): AgentEnd {
  return withProblem(endOf(ending), engine);
}

function endOf({ end, stderr, handedIn, stoppedAt, isWorking, timeouts, ...ending }: Ending): AgentEnd {
  const { code, signal, survivors } = end;
  const { usage, rounds, ...state } = ending.state;
  const { message } = state;
  const used = { ...(usage && { usage }), ...(rounds !== undefined && { rounds }) };
  const details = { exitCode: code, ...used, ...(survivors && { left: survivors }) };
  const words = message !== undefined && { words: message };
  const failure = (outcome: AgentEnd["outcome"], error: string): AgentEnd => {
    return { outcome, verdict: { success: false, ...words, error }, ...details };
  };
  if (end.error !== undefined) return { ...notStarted(`the engine could not be started: ${end.error}`), ...details };
  if (end.ended === "too_much_output") return failure("failed", "the engine was ended because it printed too much");
  if (stoppedAt === "start") {
    const waited = `${timeouts.firstEventMs / 1000} s`;
    return failure("failed", `the engine was ended because it printed nothing of its session in its first ${waited}`);
  }
  if (stoppedAt === "result_call") {
    const waited = `${timeouts.resultCallMs / 1000} s`;
    return failure("failed", `the engine was ended because its call of submit_result got no answer in ${waited}`);
  }
  if (stoppedAt === "problem") return failure("failed", `the engine said: ${state.error ?? ""}`);
  if (stoppedAt === "work" || (end.ended === "aborted" && stoppedAt === undefined)) {
    // A result that came all the same is not lost.
    const late = isWorking ? undefined : judge(state, { code, signal, stderr }, handedIn);
    if (stoppedAt === "work" && late?.success) return { outcome: "completed", verdict: late, ...details };
    return failure("interrupted", "the engine was stopped");
  }
  // One that died at work has no result for it, only those of earlier rounds.
  if (isWorking) delete state.result;
  const verdict = judge(state, { code, signal, stderr }, handedIn);
  return { outcome: state.result?.failed === false ? "completed" : "failed", verdict, ...details };
}

function withProblem(end: AgentEnd, { logIn }: Engine): AgentEnd {
  if (end.outcome !== "failed" || end.verdict.success) return end;
  const kind = problemIn(end.verdict.error);
  if (kind === undefined) return end;
  const way = wayOut(kind, logIn);
  return { ...end, problem: { kind, wayOut: way }, verdict: { ...end.verdict, error: `${end.verdict.error}: ${way}` } };
}

export function notStarted(error: string): AgentEnd {
  return { outcome: "failed", verdict: { success: false, error }, exitCode: null };
}
