import type { Json } from "../../contract/grimoire.ts";
import { addressText, type StepResult } from "../../contract/run.ts";
import { assumeRedacted } from "../../contract/redacted.ts";
import type { HandlerNote } from "../../contract/run-journal.ts";
import type { AgentInput } from "../../contract/step-input.ts";
import type { PermissionEvent } from "../../contract/engine.ts";
import { ClewError } from "../../contract/errors.ts";
import { isWithinLevel } from "../../engine/level.ts";
import { withResultInstructions } from "../../engine/result-instructions.ts";
import { createAgentNotes } from "../../run/agent-notes.ts";
import type { EndReason, Handler } from "../../run/handlers.ts";
import { outputNote } from "../../run/redact-note.ts";
import type { AgentEnd, AgentHandle, Agents } from "../engine/agents.ts";

export interface AgentStepParts {
  agents: Agents;
  newMark: (work: { runId: string; path: string }) => string;
  monotonicMs: () => number;
  /** The session of a run; undefined while it has none. */
  sessionOf: (runId: string) => string | undefined;
}

/** Agent steps: an engine works on the prompt, and its result is the step's. */
export function agentStep({ agents, newMark, monotonicMs, sessionOf }: AgentStepParts): Handler<AgentInput> {
  return async (task, context) => {
    const { runId, pinned, signal } = context;
    const { engine, prompt, model, detach } = task.input;
    const log = (note: HandlerNote): void => context.log(note);
    const notesOf = createAgentNotes(engine, monotonicMs);
    const agent = agents.run({
      engine,
      task: {
        prompt: withResultInstructions(prompt),
        ...(model !== undefined && { model }),
        level: "work",
        until: "result",
      },
      place: {
        folder: pinned.folder,
        env: { CLEW_RUN: runId, CLEW_STEP: addressText(task), CLEW_SESSION: sessionOf(runId) },
        mark: newMark({ runId, path: task.path }),
        ...(detach && { detach }),
      },
      settings: pinned.settings,
      signal,
      transcript: { owner: runId, label: addressText(task) },
      listeners: {
        onStarted: (process) => log({ type: "step.process", ...process }),
        onEvent(event) {
          notesOf(event).forEach(log);
          if (event.type === "permission" && !event.withdrawn) answer(agent, event, pinned.folder);
          if (event.type === "usage" && agent.usage) log(assumeRedacted({ type: "agent.usage", ...agent.usage }));
        },
        onStderr: (text) => log(outputNote("stderr", text)),
      },
    });
    const end = await agent.done;
    if (end.left) log({ type: "step.warning", message: `these processes could not be ended: ${end.left.join(", ")}` });
    return resultOf(end, signal.reason as EndReason);
  };
}

/** What goes beyond the level is refused for now. */
function answer(agent: AgentHandle, event: PermissionEvent, folder: string): void {
  const isAllowed = isWithinLevel("work", event, folder);
  const option = event.options.find(({ kind }) => kind === (isAllowed ? "allow_once" : "reject_once"));
  if (!option) return;
  try {
    agent.answer(event.id, option.id);
  } catch (error) {
    // One that asked and has ended by now needs no answer.
    if (!(error instanceof ClewError)) throw error;
  }
}

const stops: Record<EndReason, string> = {
  timeout: "its time was over",
  cancelled: "the run was cancelled",
  interrupted: "clew was interrupted",
};

function resultOf({ outcome, verdict, exitCode, usage }: AgentEnd, reason: EndReason): StepResult {
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
  };
}
