import type { Json } from "../../contract/grimoire.ts";
import { addressText, type StepResult } from "../../contract/run.ts";
import { assumeRedacted } from "../../contract/redacted.ts";
import type { HandlerNote } from "../../contract/run-journal.ts";
import type { AgentInput } from "../../contract/step-input.ts";
import { withResultInstructions } from "../../engine/result-instructions.ts";
import { createAgentNotes } from "../../run/agent-notes.ts";
import type { EndReason, Handler } from "../../run/handlers.ts";
import { outputNote } from "../../run/redact-note.ts";
import type { AgentEnd, Agents } from "../engine/agents.ts";

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
      prompt: withResultInstructions(prompt),
      ...(model !== undefined && { model }),
      settings: pinned.settings,
      folder: pinned.folder,
      env: { CLEW_RUN: runId, CLEW_STEP: addressText(task), CLEW_SESSION: sessionOf(runId) },
      mark: newMark({ runId, path: task.path }),
      ...(detach && { detach }),
      signal,
      transcript: { owner: runId, label: addressText(task) },
      onStarted: (process) => log({ type: "step.process", ...process }),
      onEvent(event) {
        notesOf(event).forEach(log);
        if (event.type === "usage" && agent.usage) log(assumeRedacted({ type: "agent.usage", ...agent.usage }));
      },
      onStderr: (text) => log(outputNote("stderr", text)),
    });
    const end = await agent.done;
    if (end.left) log({ type: "step.warning", message: `these processes could not be ended: ${end.left.join(", ")}` });
    return resultOf(end, signal.reason as EndReason);
  };
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
