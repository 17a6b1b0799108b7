import type { StepResult } from "../../../contract/run.ts";
import type { TaskContext } from "../../../run/handlers.ts";
import type { Redactor } from "../../../redact/redactor.ts";
import { keepOutput } from "../../shell/kept-output.ts";
import type { ChildRecord } from "../../shell/run-child.ts";
import type { NewMark } from "../../shell/marks.ts";
import { gitCalls, type GitCalls } from "../git-calls.ts";

export interface TaskGitParts {
  redactor: Redactor;
  env: Record<string, string | undefined>;
  newMark: NewMark;
}

/** A step's work, and where it stands. */
export interface StepContext extends TaskContext {
  path: string;
}

/** Git and other programs at work for a step: recorded, listened to, ended with it. */
export interface TaskGit {
  git: GitCalls;
  onProcess: (record: ChildRecord) => void;
  onOutput: (stream: "stdout" | "stderr", text: string) => void;
  /** A line for whoever follows the run. */
  say: (line: string) => void;
}

/** Does a step's work with git; what its programs print goes to the run's log. `signal` ends them. */
export async function withTaskGit(
  { redactor, env, newMark }: TaskGitParts,
  context: StepContext,
  work: (task: TaskGit) => Promise<StepResult>,
  signal = context.signal,
): Promise<StepResult> {
  const streams = {
    stdout: keepOutput(redactor, (text) => context.log({ type: "step.output", stream: "stdout", text })),
    stderr: keepOutput(redactor, (text) => context.log({ type: "step.output", stream: "stderr", text })),
  };
  const onProcess: TaskGit["onProcess"] = (record) => context.log({ type: "step.process", ...record });
  const onOutput: TaskGit["onOutput"] = (stream, text) => streams[stream].push(text);
  const git = gitCalls({ env, signal, newMark: () => newMark(context), onProcess, onOutput });
  try {
    const result = await work({ git, onProcess, onOutput, say: (line) => onOutput("stdout", `${line}\n`) });
    for (const stream of Object.values(streams)) stream.end();
    return result;
  } catch (error) {
    // Work that was ended in the middle is not what it would have been; the host knows why.
    if (signal.aborted) return { success: false, output: "", error: "was stopped" };
    throw error;
  } finally {
    for (const stream of Object.values(streams)) stream.drop();
  }
}
