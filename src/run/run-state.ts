import { allSteps } from "../contract/grimoire.ts";
import { journalVersion, type JournalLine, type RunEvent } from "../contract/run-journal.ts";
import type { StoredResult } from "../contract/run-fields.ts";
import type { RunSnapshot } from "../contract/run-snapshot.ts";
import { addUsage, type RunStatus } from "../contract/run.ts";
import { isForAgent } from "./signal-rules.ts";
import { keepResult, keepVariables } from "./snapshot-values.ts";

/** What a run has come to, folded from its journal. */
export type RunState = Omit<RunSnapshot, "journal_bytes">;

type Started = Extract<RunEvent, { type: "workflow.started" }>;
type Waiting = Extract<RunEvent, { actions: string[] }>;

export function startState(line: Started): RunState {
  const { workflow_id, at, n, pinned } = line;
  const outputs = [...allSteps(pinned.grimoire.steps)].flatMap((step) =>
    "output" in step && step.output !== undefined ? [[step.name, step.output] as const] : [],
  );
  const state: RunState = {
    version: journalVersion,
    id: workflow_id,
    bead_id: line.bead_id,
    bead_title: pinned.bead.title,
    grimoire: line.grimoire,
    status: "running",
    started: at,
    updated: at,
    ended: null,
    worktree: pinned.folder,
    outline: pinned.grimoire.steps.map(({ name }) => name),
    current: null,
    progress: { done: 0, total: pinned.grimoire.steps.length },
    running_ms: 0,
    usage: { input_tokens: 0, output_tokens: 0 },
    last_event: n,
    waiting: null,
    driver: null,
    stopped: null,
    iterations: [],
    variables: {},
    steps: {},
    output_names: Object.fromEntries(outputs),
    ...(pinned.settings.limits && { limits: pinned.settings.limits }),
  };
  keepVariables(state, pinned.variables);
  return state;
}

/** The state after one more line. Changes and returns `state`. */
export function foldLine(state: RunState, line: JournalLine): RunState {
  state.updated = line.at;
  if ("n" in line) state.last_event = line.n;
  // What stands behind the end, whoever wrote it, begins nothing anew.
  if (state.status === "completed" || state.status === "cancelled") return state;
  if ("running_ms" in line) state.running_ms = line.running_ms;
  // A request is over with the agent that asked.
  if (endsAgents(line)) delete state.permissions;
  // What an agent used that was cut off was used all the same.
  if (line.type === "run.driven" || line.type === "workflow.cancelled") addOpenUsage(state);
  switch (line.type) {
    case "workflow.step.started":
    case "step.preparing":
      state.status = "running";
      state.waiting = null;
      // A loop stays behind the step that runs in it.
      if (line.kind !== "loop") state.current = { path: line.path, attempt: line.attempt };
      reach(state, line.path, 0);
      break;
    case "workflow.step.completed":
      if (line.status === "succeeded" || line.status === "skipped") reach(state, line.path, 1);
      delete state.open_usage;
      addUsed(state, line);
      // A loop that came to its end is left.
      state.iterations = state.iterations.filter(({ path }) => path !== line.path && !path.startsWith(`${line.path}[`));
      keepResult(state, line);
      break;
    case "agent.init":
      addEngineSession(state, line);
      break;
    case "agent.usage": {
      const { type: _, at: _at, path, attempt, rounds, ...usage } = line;
      state.open_usage = { path, attempt, usage, ...(rounds !== undefined && { rounds }) };
      break;
    }
    case "agent.permission": {
      const { type: _, running_ms: _ms, ...request } = line;
      state.permissions = [...(state.permissions ?? []), request];
      break;
    }
    case "agent.permission_over":
      closePermission(state, line.id);
      break;
    case "loop.iteration":
      if (line.stopped) break;
      state.iterations = state.iterations.filter(({ path }) => line.path.startsWith(`${path}[`));
      state.iterations.push({ path: line.path, iteration: line.iteration });
      break;
    case "workflow.blocked":
    case "workflow.failed":
    case "workflow.merge_pending":
      wait(state, line);
      break;
    case "workflow.completed":
      end(state, line.at, "completed");
      state.progress = { done: state.progress.total, total: state.progress.total };
      break;
    case "workflow.cancelled":
      end(state, line.at, "cancelled");
      break;
    case "run.signal":
      if (line.taken && line.signal.kind === "permission") closePermission(state, line.signal.request);
      if (line.taken && line.signal.kind !== "cancel" && !isForAgent(line.signal)) {
        state.status = "running";
        state.waiting = null;
        if (line.signal.kind === "retry") {
          keepVariables(state, line.signal.inputs);
          if (line.signal.limits) state.limits = { ...state.limits, ...line.signal.limits };
        }
      }
      break;
    case "run.driven":
      state.driver = { pid: line.pid, boot: line.boot };
      state.stopped = null;
      break;
    case "run.stopped":
      state.stopped = { at: line.at, reason: line.reason };
      break;
  }
  return state;
}

function addUsed(state: RunState, { usage, rounds = 0 }: Pick<StoredResult, "usage" | "rounds">): void {
  if (usage) state.usage = addUsage(state.usage, usage);
  if (rounds > 0) state.rounds = (state.rounds ?? 0) + rounds;
}

function addOpenUsage(state: RunState): void {
  if (state.open_usage) addUsed(state, state.open_usage);
  delete state.open_usage;
}

function endsAgents({ type }: JournalLine): boolean {
  return (
    type === "run.driven" ||
    type === "run.stopped" ||
    type === "workflow.step.completed" ||
    type === "workflow.cancelled"
  );
}

function closePermission(state: RunState, id: string): void {
  const open = (state.permissions ?? []).filter((request) => request.id !== id);
  if (open.length > 0) state.permissions = open;
  else delete state.permissions;
}

/** An engine that goes on with its own session tells its name again. */
function addEngineSession(state: RunState, line: Extract<JournalLine, { type: "agent.init" }>): void {
  const { engine, engine_session: session } = line;
  const sessions = state.engine_sessions ?? [];
  if (sessions.some((each) => each.engine === engine && each.session === session)) return;
  state.engine_sessions = [...sessions, { engine, ...(session !== undefined && { session }) }];
}

/** An outermost step was reached, or (`past` 1) passed. */
function reach(state: RunState, path: string, past: 0 | 1): void {
  const at = state.outline.indexOf(path);
  if (at >= 0) state.progress = { ...state.progress, done: Math.max(state.progress.done, at + past) };
}

const waitStatuses: Record<Waiting["type"], RunStatus> = {
  "workflow.blocked": "blocked",
  "workflow.failed": "failed",
  "workflow.merge_pending": "pending_merge",
};

function wait(state: RunState, line: Waiting): void {
  const { path, attempt, blocked_reason: reason, message, actions, iteration_summaries } = line;
  const { blocked_context, takes_changes } = line;
  state.status = waitStatuses[line.type];
  state.current = { path, attempt };
  state.waiting = {
    path,
    attempt,
    reason,
    message,
    actions,
    iteration_summaries,
    ...(blocked_context && { blocked_context }),
    ...(takes_changes && { takes_changes }),
  };
}

function end(state: RunState, at: string, status: RunStatus): void {
  state.status = status;
  state.ended = at;
  state.current = null;
  state.waiting = null;
  state.stopped = null;
  state.iterations = [];
}
