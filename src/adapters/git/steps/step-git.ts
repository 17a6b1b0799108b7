import type { StepResult } from "../../../contract/run.ts";
import type { WorkContext } from "../../../run/handlers.ts";
import { outputNote } from "../../../run/redact-note.ts";
import type { Redactor } from "../../../redact/redactor.ts";
import { collectOutput } from "../../shell/output-collector.ts";
import type { ChildRecord } from "../../shell/run-child.ts";
import type { NewMark } from "../../shell/process-marks.ts";
import { gitCalls, type GitCalls } from "../git-calls.ts";
import type { Repository } from "../repository.ts";

export interface StepGitParts {
  repository: Repository;
  redactor: Redactor;
  env: Record<string, string | undefined>;
  newMark: NewMark;
}

/** A step's work, and where it stands. */
export interface StepContext extends WorkContext {
  path: string;
}

/** Git and other programs at work for a step: recorded, listened to, ended with it. */
export interface StepGit {
  git: GitCalls;
  onProcess: (record: ChildRecord) => void;
  onOutput: (stream: "stdout" | "stderr", text: string) => void;
  /** Adds a line to the run's log. */
  report: (line: string) => void;
}

/** Does a step's work with git; what its programs print goes to the run's log. `signal` ends them. */
export async function withStepGit(
  { redactor, env, newMark }: StepGitParts,
  context: StepContext,
  work: (stepGit: StepGit) => Promise<StepResult>,
  signal = context.signal,
): Promise<StepResult> {
  const streams = {
    stdout: collectOutput(redactor, (text) => context.log(outputNote("stdout", text))),
    stderr: collectOutput(redactor, (text) => context.log(outputNote("stderr", text))),
  };
  const onProcess: StepGit["onProcess"] = (record) => context.log({ type: "step.process", ...record });
  const onOutput: StepGit["onOutput"] = (stream, text) => streams[stream].push(text);
  const git = gitCalls({ env, signal, newMark: () => newMark(context), onProcess, onOutput });
  try {
    const result = await work({ git, onProcess, onOutput, report: (line) => onOutput("stdout", `${line}\n`) });
    for (const stream of Object.values(streams)) stream.end();
    return result;
  } catch (error) {
    // Errors of work that was ended in the middle do not count; the host knows why it ended.
    if (signal.aborted) return failedResult("was stopped");
    throw error;
  } finally {
    for (const stream of Object.values(streams)) stream.cancel();
  }
}

export function failedResult(error: string, output = ""): StepResult & { error: string } {
  return { success: false, output, error };
}
