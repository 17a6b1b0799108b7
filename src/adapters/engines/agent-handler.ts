import { addressText, type AgentInput, type StepResult } from "../../contract/run.ts";
import type { Json } from "../../contract/grimoire.ts";
import type { TaskNote } from "../../contract/run-journal.ts";
import type { EngineState } from "../../engine/fold.ts";
import { judge } from "../../engine/result-contract.ts";
import { withResultInstructions } from "../../engine/result-instructions.ts";
import type { Redactor } from "../../redact/redactor.ts";
import type { EndReason, Handler } from "../../run/handlers.ts";
import type { NewMark } from "../shell/marks.ts";
import { runChild, type ChildEnd } from "../shell/run-child.ts";
import type { Engine } from "./engine.ts";
import { listen } from "./listen.ts";
import { createStderrLog } from "./stderr-log.ts";
import type { Transcripts } from "./transcript-files.ts";

export interface AgentParts {
  engines: readonly Engine[];
  redactor: Redactor;
  transcripts: Transcripts;
  /** What engines inherit. */
  env: Record<string, string | undefined>;
  newMark: NewMark;
  monotonicMs: () => number;
  /** The session of a run; undefined while it has none. */
  sessionOf: (runId: string) => string | undefined;
}

/** Agent steps: an engine works on the prompt, and its result is the step's. */
export function agentHandler(parts: AgentParts): Handler<AgentInput> {
  const { redactor, monotonicMs } = parts;

  return async (task, context) => {
    const { runId, pinned, signal } = context;
    const log = (note: TaskNote): void => context.log(note);
    const { engine: wanted, prompt, model } = task.input;
    const engine = parts.engines.find(({ name }) => name === wanted);
    if (!engine) return failure(unknownEngine(wanted, parts.engines));
    const asked = { prompt: withResultInstructions(prompt), ...(model !== undefined && { model }) };
    const start = engine.start({ ...asked, settings: pinned.settings });
    if ("reason" in start) return failure(start.reason);

    const transcript = parts.transcripts.open(runId, task, engine.name);
    const stdout = listen({ engine, redactor, transcript, log, monotonicMs });
    const stderr = createStderrLog(redactor, log);
    const about = { CLEW_RUN: runId, CLEW_STEP: addressText(task), CLEW_SESSION: parts.sessionOf(runId) };
    const end = await runChild(
      {
        command: start.command,
        folder: pinned.folder,
        env: { ...parts.env, ...about, ...start.env },
        ...(start.stdin !== undefined && { stdin: start.stdin }),
        mark: parts.newMark({ runId, path: task.path }),
        ...(task.input.detach && { detach: true }),
      },
      {
        signal,
        onStarted: (record) => log({ type: "step.process", ...record }),
        onStdout: stdout.push,
        onStderr: stderr.push,
      },
    );
    stdout.end();
    stderr.end();
    if (end.left) log({ type: "step.warning", message: `these processes could not be ended: ${end.left.join(", ")}` });
    return resultOf(stdout.state(), end, stderr.tail(), signal.reason as EndReason);
  };
}

const stops: Record<EndReason, string> = {
  timeout: "its time was over",
  cancelled: "the run was cancelled",
  interrupted: "clew was interrupted",
};

function resultOf(state: EngineState, end: ChildEnd, stderr: string, reason: EndReason): StepResult {
  const known = { ...(end.code !== null && { exit_code: end.code }), ...(state.usage && { usage: state.usage }) };
  if (end.error !== undefined) return { ...failure(`the engine could not be started: ${end.error}`), ...known };
  if (end.ended !== "exited") {
    const why = end.ended === "aborted" ? stops[reason] : "it printed too much";
    return { ...failure(`the engine was ended because ${why}`), output: state.message ?? null, ...known };
  }
  const verdict = judge(state, { code: end.code, signal: end.signal, stderr });
  const { result } = verdict;
  return {
    success: verdict.success,
    output: (result ?? ("words" in verdict ? verdict.words : null) ?? null) as Json,
    ...(result && { summary: result.summary }),
    ...(result?.outputs && { outputs: result.outputs }),
    ...(!verdict.success && { error: verdict.error }),
    ...known,
  };
}

function failure(error: string): StepResult {
  return { success: false, output: null, error };
}

function unknownEngine(wanted: string, engines: readonly Engine[]): string {
  return `there is no engine ${wanted}; known: ${engines.map(({ name }) => name).join(", ")}`;
}
