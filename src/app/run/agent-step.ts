import type { Json } from "../../contract/grimoire.ts";
import { addressText, type StepResult, type StepWork } from "../../contract/run.ts";
import type { EngineEvent } from "../../contract/engine.ts";
import type { PermissionRequest } from "../../contract/permission.ts";
import type { HandlerNote } from "../../contract/run-journal.ts";
import type { AgentInput } from "../../contract/step-input.ts";
import { withResultInstructions } from "../../engine/result-instructions.ts";
import { createAgentNotes } from "../../run/agent-notes.ts";
import type { EndReason, Handler, WorkContext } from "../../run/handlers.ts";
import { outputNote } from "../../run/redact-note.ts";
import { formatDuration } from "../../text/duration.ts";
import type { AgentEnd, AgentHandle, Agents } from "../engine/agents.ts";
import { freeToolsWarning } from "../engine/free-tools-warning.ts";
import { permissionWaitMs, withoutRefusal } from "../engine/permission-wait.ts";
import { CostCheck, createUsageNotes, limitResult, StepLimits } from "./step-limits.ts";
import type { Ids } from "../session/ports.ts";
import { StepPermissions } from "./permissions.ts";
import { beginAnewPrompt, callWords, goOnPrompt } from "./resume-prompt.ts";

export interface AgentStepParts {
  agents: Agents;
  newMark: (work: { runId: string; path: string }) => string;
  ids: Ids;
  monotonicMs: () => number;
  /** Calls `work` once the time has passed; returns how to call it off. */
  later: (ms: number, work: () => void) => () => void;
  /** The session of a run; undefined while it has none. */
  sessionOf: (runId: string) => string | undefined;
}

type AgentWork = StepWork & { input: AgentInput };

/** Agent steps: an engine works on the prompt, and its result is the step's. */
export function agentStep(parts: AgentStepParts): Handler<AgentInput> {
  return async (work, context) => {
    const { engine, prompt, answered, stopped_at: stoppedAt } = work.input;
    const isCutOff = context.agent?.cutOff !== undefined || stoppedAt !== undefined;
    const log = (message: string): void => context.log({ type: "step.note", message });
    const cutOff = context.agent?.cutOff;
    const session = cutOff?.engineSession ?? answered?.engine_session ?? stoppedAt?.engine_session;
    const reached = new StepLimits(context, work.input).atStart();
    // The agent that the limit stopped goes on when it is raised.
    if (reached) return limitResult({ success: false, output: null }, reached, session);
    if (!cutOff && !answered && stoppedAt?.engine_session === undefined)
      return (await runAgent(parts, work, context, { prompt })).result;
    if (session !== undefined && parts.agents.traitsOf(engine)?.abilities.resume) {
      log(`goes on in ${engine}'s own session ${session}`);
      const start = { prompt: goOnPrompt(prompt, answered, isCutOff), resume: session };
      const { result, isDone } = await runAgent(parts, work, context, start);
      if (isDone) return result;
      log(`began anew: ${engine} could not go on in its session ${session} (${result.error ?? "it said nothing"})`);
    } else {
      const why = session === undefined ? "had told no session to go on in" : "cannot go on in a session";
      log(`begins anew: ${engine} ${why}`);
    }
    return (await runAgent(parts, work, context, { prompt: beginAnewPrompt(prompt, answered) })).result;
  };
}

/** Events that show that an engine came to work. */
const workTypes = new Set<EngineEvent["type"]>(["delta", "message", "thinking", "tool_call", "permission", "result"]);

/** `isDone` is false when an engine could not even go on in its session, so that something else may be tried. */
async function runAgent(
  { agents, newMark, ids, monotonicMs, later, sessionOf }: AgentStepParts,
  work: AgentWork,
  context: WorkContext,
  { prompt, resume }: { prompt: string; resume?: string },
): Promise<{ result: StepResult; isDone: boolean }> {
  const { runId, pinned, signal } = context;
  const { engine, model, role, level = "work", tools, detach, answered } = work.input;
  const log = (note: HandlerNote): void => context.log(note);
  const notesOf = createAgentNotes(engine, monotonicMs);
  const waitMs = permissionWaitMs(agents, engine, pinned.settings.permission_wait_ms);
  const desk = context.agent?.permissions;
  const permissions = new StepPermissions({
    desk,
    answered,
    waitMs,
    ids,
    later,
  });
  const limits = new StepLimits(context, work.input);
  const costs = new CostCheck(agents, engine, log);
  if (tools && !agents.traitsOf(engine)?.abilities.tools)
    log({ type: "step.warning", message: freeToolsWarning(engine) });
  let engineSession = resume;
  let hasWorked = false;
  const usageNotes = createUsageNotes();
  const agent: AgentHandle = agents.run({
    engine,
    task: {
      prompt: withResultInstructions(prompt),
      ...(model !== undefined && { model }),
      ...(role !== undefined && { role }),
      level,
      ...(tools && { tools }),
      until: "result",
    },
    ...(resume !== undefined && { resume }),
    place: {
      folder: pinned.folder,
      env: { CLEW_RUN: runId, CLEW_STEP: addressText(work), CLEW_SESSION: sessionOf(runId) },
      mark: newMark({ runId, path: work.path }),
      ...(detach && { detach }),
    },
    settings: pinned.settings,
    ...(limits.needsCost && { needsCost: true }),
    signal,
    transcript: { owner: runId, label: addressText(work) },
    listeners: {
      onStarted: (process) => log({ type: "step.process", ...process }),
      onEvent(event) {
        notesOf(permissions.unanswered ? withoutRefusal(event) : event).forEach(log);
        if (workTypes.has(event.type) && !(event.type === "result" && event.failed)) hasWorked = true;
        if (event.type === "init") engineSession = event.engine_session ?? engineSession;
        if (event.type === "permission") permissions.take(event, agent);
        if (event.type === "init" && limits.needsCost) costs.begin(event.model ?? model);
        if (event.type === "usage") usageNotes(agent).forEach(log);
        limits.take(event, agent);
      },
      onStderr: (text) => log(outputNote("stderr", text)),
    },
  });
  const stopAlarm = limits.begin(agent);
  const end = await agent.done.finally(() => {
    permissions.end();
    stopAlarm();
  });
  await costs.settled();
  if (permissions.fault) throw permissions.fault.error;
  if (end.left) log({ type: "step.warning", message: `these processes could not be ended: ${end.left.join(", ")}` });
  const result = resultOf(end, signal.reason as EndReason);
  const { unanswered } = permissions;
  if (unanswered && !signal.aborted && !result.success)
    return {
      result: unansweredResult(result, unanswered, { waitMs, engineSession, isAnswerable: desk !== undefined }),
      isDone: true,
    };
  const limit = signal.aborted ? undefined : limits.atEnd(end);
  // One that failed by itself has to be mended, whatever it used.
  if (limit && (result.success || limits.reached))
    return { result: limitResult(result, limit, engineSession), isDone: true };
  return { result, isDone: hasWorked || end.outcome !== "failed" || signal.aborted };
}

/** The request was not refused: the agent was stopped, and a later answer goes on with it. */
function unansweredResult(
  { error: _, ...result }: StepResult,
  request: PermissionRequest,
  { waitMs, engineSession, isAnswerable }: { waitMs: number; engineSession: string | undefined; isAnswerable: boolean },
): StepResult {
  const wait = isAnswerable ? `, and had no answer after ${formatDuration(waitMs)}` : "";
  return {
    ...result,
    error: `its agent asks whether it may use ${callWords(request)}${wait}; it was stopped, and goes on with your answer`,
    permission: { ...request, ...(engineSession !== undefined && { engine_session: engineSession }) },
  };
}

const stops: Record<EndReason, string> = {
  timeout: "its time was over",
  limit: "the run has worked as long as it may",
  cancelled: "the run was cancelled",
  interrupted: "clew was interrupted",
};

function resultOf({ outcome, verdict, exitCode, usage, rounds }: AgentEnd, reason: EndReason): StepResult {
  const { success, result } = verdict;
  const words = "words" in verdict ? verdict.words : undefined;
  return {
    success,
    output: (result ?? words ?? null) as Json,
    ...(result && { summary: result.summary }),
    ...(result?.outputs && { outputs: result.outputs }),
    ...(!success && {
      error: outcome === "interrupted" ? `the engine was ended because ${stops[reason]}` : verdict.error,
    }),
    ...(exitCode !== null && { exit_code: exitCode }),
    ...(usage && { usage }),
    ...(rounds !== undefined && { rounds }),
  };
}
