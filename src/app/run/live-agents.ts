import type { RunAgent } from "../../contract/api/run-agent.ts";
import type { RunEvent } from "../../contract/run-journal.ts";
import { addressText } from "../../contract/run.ts";
import { createFold } from "../../engine/fold.ts";
import { eventOf } from "../../run/agent-notes.ts";
import type { RunStore } from "./ports.ts";

export interface LiveAgentParts {
  store: RunStore;
  /** Whether agents of an engine take further messages. */
  takesMessages: (engine: string) => boolean;
}

type StepStarted = Extract<RunEvent, { type: "workflow.step.started" }>;

/** The agents that work in these runs now. */
export function liveAgents(parts: LiveAgentParts, runIds: Iterable<string>): RunAgent[] {
  return [...runIds].flatMap((runId) => liveAgent(parts, runId) ?? []);
}

/** The agent that works in a run, as its journal tells of it; undefined when none does. */
export function liveAgent({ store, takesMessages }: LiveAgentParts, runId: string): RunAgent | undefined {
  const state = store.state(runId);
  if (state.status !== "running" || !store.isDriven(runId)) return undefined;
  const started = lastBegun(store, runId);
  if (started?.line.input?.kind !== "agent") return undefined;
  const { path, attempt, at, input } = started.line;
  const fold = createFold();
  let init: { model?: string; engine_session?: string } = {};
  const permissions = new Set<string>();
  for (const { line } of store.lines(runId, started.offset)) {
    const event = eventOf(line);
    if (event) fold.add(event);
    if (line.type === "agent.init") init = line;
    // The attempt began anew after a crash.
    if (line.type === "workflow.step.started" || line.type === "run.driven") permissions.clear();
    if (line.type === "agent.permission") {
      fold.add({ ...line, type: "permission" });
      permissions.add(line.id);
    }
    if (line.type === "agent.permission_over") permissions.delete(line.id);
    if (line.type === "run.signal" && line.signal.kind === "permission") permissions.delete(line.signal.request);
    if (line.type === "workflow.step.completed") return undefined;
  }
  const { activities } = fold.state();
  return {
    id: `${runId}:${addressText({ path, attempt })}`,
    run: runId,
    path,
    attempt,
    engine: input.engine,
    ...(init.model !== undefined && { model: init.model }),
    ...(init.engine_session !== undefined && { engine_session: init.engine_session }),
    started: at,
    activities: [...activities],
    current: activities.at(-1) ?? null,
    takes_messages: takesMessages(input.engine),
    permissions: [...permissions],
  };
}

/** The last event of a run that works on a step is the step's beginning; what its agent does stands behind it. */
function lastBegun(store: RunStore, runId: string): { line: StepStarted; offset: number } | undefined {
  let last: { offset: number; bytes: number } | undefined;
  for (const { place } of store.eventPlaces(runId, 0)) last = place;
  const line = last && store.lineAt(runId, last);
  return last && line?.type === "workflow.step.started" ? { line, offset: last.offset } : undefined;
}
