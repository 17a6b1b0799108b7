import type { WorkApi } from "../../contract/api/work.ts";
import type { Bead } from "../../contract/bead.ts";
import { ClewError } from "../../contract/errors.ts";
import type { AgentResult } from "../../contract/engine.ts";
import type { Json } from "../../contract/json.ts";
import type { WorkState } from "../../contract/work-state.ts";
import { resultOf, resultProblem } from "../../engine/result-contract.ts";
import { isSessionId } from "../../session/session-id.ts";
import { logEntry } from "../session/log.ts";
import { redactValue } from "../../redact/redact-value.ts";
import { advance } from "./advance.ts";
import { refuseOtherBranch } from "./own-branch.ts";
import type { WorkParts } from "./parts.ts";
import { taskPrompt } from "./prompt.ts";
import { stateOf } from "./recover-state.ts";
import { countOpen, phaseTitle } from "./tasks.ts";

type SyncParts = Pick<WorkParts, "beads" | "claims" | "log" | "states" | "agents" | "place" | "warn">;

/**
 * Tells an agent what it works on now. With the result of the current task, that one is closed first, and the next one is
 * taken up. Nothing is closed without a valid result that tells of a success.
 */
export async function syncWork(
  parts: SyncParts,
  { cookie, result }: Parameters<WorkApi["sync"]>[0],
): ReturnType<WorkApi["sync"]> {
  await refuseUnknown(parts, cookie);
  const checked = result === undefined ? undefined : checkResult(parts, result as Json);
  const state = await parts.states.change(cookie, async (before) => {
    if (!checked) return before;
    const { frontmatter } = await parts.log.sessions.records.read(cookie);
    refuseOtherBranch(before.agent, frontmatter, parts.place.branchIn);
    refuseUntaken(before, checked);
    return advanceWithPhase(parts, before, checked);
  });
  const task = currentTask(parts, state);
  return {
    done: task === undefined && countOpen(parts, state.bead) === 0,
    task: task ? { id: task.id, title: task.title, prompt: taskPrompt(parts, task, cookie) } : null,
    session: cookie,
  };
}

/** The agent goes on with the next task in the same engine session: a phase of its own tells that. */
async function advanceWithPhase(parts: SyncParts, before: WorkState, result: AgentResult): Promise<WorkState> {
  const { state, closed } = await advance(parts, before, result);
  const next = closed && currentTask(parts, state);
  if (next) {
    const agent = state.agent && { agent: state.agent.engine };
    await logEntry(parts.log, state.session, { kind: "phase", title: phaseTitle(next), ...agent });
  }
  return state;
}

/** A result that no task waits for is not dropped without a word. One that was given before is taken already. */
function refuseUntaken(state: WorkState, result: AgentResult): void {
  const { session, current, done, last_result: last } = state;
  if (current !== null || (result.task !== undefined && done.includes(result.task)) || JSON.stringify(result) === last)
    return;
  throw new ClewError(
    "not_possible_now",
    `no task of the work session ${session} is at hand, so the result was not taken`,
    `clew session resume ${session} goes on with it`,
  );
}

function currentTask({ beads }: SyncParts, { current }: WorkState): Bead | undefined {
  return current === null ? undefined : beads.store.find(current);
}

async function refuseUnknown(parts: SyncParts, cookie: string): Promise<void> {
  const { log } = parts;
  if (!isSessionId(cookie) || !(await stateOf(parts, cookie))) {
    throw new ClewError(
      "unknown_session",
      `there is no work session ${cookie}`,
      "the cookie is the id of the work session, as your prompt tells it",
    );
  }
  const { records } = log.sessions;
  const { status } = records.glance(cookie) ?? (await records.read(cookie)).frontmatter;
  if (status === "active") return;
  throw new ClewError(
    "not_possible_now",
    `the work session ${cookie} is ${status}, so there is no task at hand`,
    status === "completed" || status === "abandoned"
      ? "clew work task ID begins another one"
      : `clew session resume ${cookie} goes on with it`,
  );
}

function checkResult({ log }: SyncParts, value: Json): ReturnType<typeof resultOf> {
  const problem = resultProblem(value);
  const form = '{"success": true, "summary": "…", "outputs": {}}';
  if (problem !== undefined) throw new ClewError("invalid_input", `the result ${problem}`, form);
  const result = resultOf(redactValue(value, log.redact));
  if (result.success && result.status === undefined) return result;
  throw new ClewError(
    "invalid_input",
    "this result does not tell of a success, so the task stays open",
    "end your work with it as your final result instead",
  );
}
