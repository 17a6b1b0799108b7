import type { Json } from "../../contract/grimoire.ts";
import { addressText, type StepResult, type StepWork } from "../../contract/run.ts";
import type { EngineEvent } from "../../contract/engine.ts";
import type { PermissionRequest } from "../../contract/permission.ts";
import { missingOutputs } from "../../contract/required-outputs.ts";
import type { HandlerNote } from "../../contract/run-journal.ts";
import type { AgentInput } from "../../contract/step-input.ts";
import { withResultInstructions } from "../../engine/result-instructions.ts";
import { createAgentNotes } from "../../run/agent-notes.ts";
import type { EndReason, Handler, WorkContext } from "../../run/handlers.ts";
import { outputNote } from "../../run/redact-note.ts";
import { formatDuration } from "../../text/duration.ts";
import type { AgentEnd, AgentHandle, Agents } from "../engine/agents.ts";
import { expectsHooks } from "../engine/hook-endpoint.ts";
import { freeToolsWarning } from "../engine/free-tools-warning.ts";
import { permissionWaitMs, withoutRefusal } from "../engine/permission-wait.ts";
import { appendRehydration } from "../rehydrate/give-rehydration.ts";
import { Receipts } from "../rehydrate/receipts.ts";
import type { StepRehydration } from "../rehydrate/step-rehydration.ts";
import { CostCheck, createUsageNotes, limitResult, StepLimits } from "./step-limits.ts";
import type { Ids } from "../session/ports.ts";
import { StepGates, type StepGateParts } from "./step-gates.ts";
import { StepHandle } from "./step-handle.ts";
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
  gates: StepGateParts;
  /** What agents are told that do not begin with nothing. */
  rehydration: StepRehydration;
}

type AgentWork = StepWork & { input: AgentInput };

/** Agent steps: an engine works on the prompt, and its result is the step's. */
export function agentStep(parts: AgentStepParts): Handler<AgentInput> {
  return async (work, context) => {
    const { engine, prompt, answered, stopped_at: stoppedAt } = work.input;
    const rehydration = faultless(parts.rehydration, context);
    const { runId } = context;
    const isCutOff = context.agent?.cutOff !== undefined || stoppedAt !== undefined;
    const log = (message: string): void => context.log({ type: "step.note", message });
    const cutOff = context.agent?.cutOff;
    const session = cutOff?.engineSession ?? answered?.engine_session ?? stoppedAt?.engine_session;
    const reached = new StepLimits(context, work.input).atStart();
    // The agent that the limit stopped goes on when it is raised.
    if (reached) return limitResult({ success: false, output: null }, reached, session);
    const agent = { path: work.path, attempt: work.attempt, engine };
    if (!cutOff && !answered && stoppedAt?.engine_session === undefined) {
      const facts = work.attempt > 1 ? await rehydration.afterSwitch(runId, agent) : undefined;
      return (
        await runAgent(parts, work, context, {
          prompt: appendRehydration(prompt, facts),
          hasRehydration: facts !== undefined,
        })
      ).result;
    }
    if (session !== undefined && parts.agents.traitsOf(engine)?.abilities.resume) {
      log(`goes on in ${engine}'s own session ${session}`);
      const facts = isCutOff ? await rehydration.afterCut(runId, { ...agent, engineSession: session }) : undefined;
      const words = appendRehydration(goOnPrompt(prompt, answered, isCutOff), facts);
      const start = { prompt: words, resume: session, hasRehydration: facts !== undefined };
      const { result, isDone } = await runAgent(parts, work, context, start);
      if (isDone) return result;
      log(`began anew: ${engine} could not go on in its session ${session} (${result.error ?? "it said nothing"})`);
    } else {
      const why = session === undefined ? "had told no session to go on in" : "cannot go on in a session";
      log(`begins anew: ${engine} ${why}`);
    }
    const facts = isCutOff ? await rehydration.afterCut(runId, agent) : undefined;
    const words = appendRehydration(beginAnewPrompt(prompt, answered), facts);
    return (await runAgent(parts, work, context, { prompt: words, hasRehydration: facts !== undefined })).result;
  };
}

/** A step does not fail because its agent cannot be told where it stands: a person is warned, and it goes on without. */
function faultless(rehydration: StepRehydration, { log }: WorkContext): StepRehydration {
  const warned = async <T>(work: Promise<T>): Promise<T | undefined> => {
    try {
      return await work;
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error);
      log({ type: "step.warning", message: `what Clew kept for its agent could not be told or noted: ${why}` });
      return undefined;
    }
  };
  return {
    afterCut: (...args) => warned(rehydration.afterCut(...args)),
    afterSwitch: (...args) => warned(rehydration.afterSwitch(...args)),
    received: async (...args) => warned(rehydration.received(...args)),
  };
}

/** Events that show that an engine came to work. */
const workTypes = new Set<EngineEvent["type"]>(["delta", "message", "thinking", "tool_call", "permission", "result"]);

/** `isDone` is false when an engine could not even go on in its session, so that something else may be tried. */
async function runAgent(
  { agents, newMark, ids, monotonicMs, later, sessionOf, rehydration, gates: gateParts }: AgentStepParts,
  work: AgentWork,
  context: WorkContext,
  { prompt, resume, hasRehydration }: { prompt: string; resume?: string; hasRehydration: boolean },
): Promise<{ result: StepResult; isDone: boolean }> {
  const { runId, pinned, signal } = context;
  const { engine, model, role, level = "work", tools, detach, answered, outputs: required = [] } = work.input;
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
  const handle = new StepHandle();
  const limits = new StepLimits(context, work.input);
  const costs = new CostCheck(agents, engine, log);
  if (tools && !agents.traitsOf(engine)?.abilities.tools)
    log({ type: "step.warning", message: freeToolsWarning(engine) });
  const session = sessionOf(runId);
  const hooks = agents.traitsOf(engine)?.abilities.hooks ?? "none";
  const gates = new StepGates(gateParts, work, context, { session, expectsHooks: expectsHooks(hooks) });
  const receipts = new Receipts(hasRehydration, (by) => faultless(rehydration, context).received(runId, by));
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
      ...(limits.roundsLeft !== undefined && { rounds: limits.roundsLeft }),
    },
    ...(resume !== undefined && { resume }),
    place: {
      folder: pinned.folder,
      env: { CLEW_RUN: runId, CLEW_STEP: addressText(work), CLEW_SESSION: session },
      mark: newMark({ runId, path: work.path }),
      ...(detach && { detach }),
    },
    settings: pinned.settings,
    ...(pinned.policy && { rules: pinned.policy }),
    ...(limits.needsCost && { needsCost: true }),
    signal,
    transcript: { owner: runId, label: addressText(work) },
    listeners: {
      onStarted: (process) => log({ type: "step.process", ...process }),
      onEvent(event) {
        notesOf(permissions.unanswered ? withoutRefusal(event) : event).forEach(log);
        gates.take(event);
        handle.take(event);
        if (workTypes.has(event.type) && !(event.type === "result" && event.failed)) hasWorked = true;
        if (event.type === "compacted") log({ type: "step.note", message: event.text });
        receipts.take(event);
        if (event.type === "init") engineSession = event.engine_session ?? engineSession;
        if (event.type === "permission") permissions.take(event, agent);
        if (event.type === "init" && limits.needsCost) costs.begin(event.model ?? model);
        if (event.type === "usage") usageNotes(agent).forEach(log);
        limits.take(event, agent);
      },
      onStderr: (text) => log(outputNote("stderr", text)),
      onHook: (hook) => gates.hear(hook),
      async onResult({ success, outputs }) {
        return success ? (missingOutputs(outputs, required) ?? (await gates.lacks())) : undefined;
      },
    },
  });
  const stopAlarm = limits.begin(agent);
  const closeHandle = handle.open(context.agent?.handles, agent);
  const end = await agent.done.finally(() => {
    closeHandle();
    permissions.end();
    stopAlarm();
  });
  await costs.settled();
  await receipts.settled();
  if (permissions.fault) throw permissions.fault.error;
  if (end.left) log({ type: "step.warning", message: `these processes could not be ended: ${end.left.join(", ")}` });
  const given = resultOf(end, signal.reason as EndReason);
  const stopped = signal.aborted ? undefined : handle.stoppedResult(given);
  if (stopped) return { result: stopped, isDone: true };
  const result = await gates.judge(withOutputsChecked(given, required));
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

/** A success that lacks an output of its step is a failure. */
function withOutputsChecked(result: StepResult, required: readonly string[]): StepResult {
  const problem = result.success ? missingOutputs(result.outputs, required) : undefined;
  return problem === undefined ? result : { ...result, success: false, error: `its result ${problem}` };
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
