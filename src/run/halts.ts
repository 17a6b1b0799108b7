import { limitWords } from "../engine/limits.ts";
import type { StepAddress, StepResult, Wait } from "../contract/run.ts";

/** Why a run does not go on by itself, wherever that is. */
export type Halt = Omit<Wait, keyof StepAddress | "iterations">;

export const runTimeout: Halt = { status: "blocked", reason: "timeout", message: "the run took longer than it may" };
export const loopTimeout: Halt = { status: "blocked", reason: "timeout", message: "the loop took longer than it may" };

/** Its agent was stopped: the answer goes on with it. */
export function permissionHalt(result: StepResult): Halt {
  return { status: "blocked", reason: "permission", message: result.error ?? "waits for a permission", result };
}

/** What the run may use is used up: a higher limit goes on with it. */
export function limitHalt(result: StepResult): Halt {
  const message = result.limit ? limitWords(result.limit) : "reached a limit";
  return { status: "blocked", reason: "limit", message, result };
}

/** A step that says `on_fail: fail` fails its run; others block it. */
export function failureHalt(result: StepResult, onFail: "block" | "continue" | "fail" = "block"): Halt {
  const status = onFail === "fail" ? "failed" : "blocked";
  const why = result.error ?? (result.exit_code === undefined ? "failed" : `exited with ${result.exit_code}`);
  return { status, reason: result.missing ? "evidence" : "step_failed", message: why, result };
}
