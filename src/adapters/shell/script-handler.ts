import { constants } from "node:os";
import { addressText, type StepResult, type StepWork } from "../../contract/run.ts";
import type { ScriptInput } from "../../contract/step-input.ts";
import { prologue } from "../../grimoire/shell/prologue.ts";
import { outputNote } from "../../run/redact-note.ts";
import type { Redactor } from "../../redact/redactor.ts";
import type { Handler, WorkContext } from "../../run/handlers.ts";
import { collectOutput } from "./output-collector.ts";
import type { NewMark } from "./process-marks.ts";
import { maxOutputBytes } from "./read-output.ts";
import { runChild, type ChildEnd, type ChildSpec } from "./run-child.ts";
import { makeStepFolder, nameStepFolder, needsStepFolder, removeStepFolder, scriptFileIn } from "./step-folder.ts";

export interface ScriptParts {
  redactor: Redactor;
  /** The environment of all scripts. */
  env: Record<string, string | undefined>;
  /** Where the folders of scripts and their values are made; it must exist, outside the repository. */
  tempFolder: string;
  newMark: NewMark;
  /** The tree in a run's worktree; undefined when it cannot be determined. */
  treeOf?: (work: StepWork, context: WorkContext) => Promise<string | undefined>;
  /** How long the processes of a script have to end by themselves. */
  graceMs?: number;
}

export function scriptHandler(parts: ScriptParts): Handler<ScriptInput> {
  return async (work, context) => {
    if (work.input.records_tree !== true || !parts.treeOf) return runScript(parts, work, context);
    const before = await parts.treeOf(work, context);
    const result = await runScript(parts, work, context);
    if (!result.success || before === undefined) return result;
    // A command that changes the tree proves nothing about the changed tree.
    return (await parts.treeOf(work, context)) === before ? { ...result, tree: before } : result;
  };
}

async function runScript(
  { redactor, env, tempFolder, newMark, graceMs }: ScriptParts,
  work: StepWork<ScriptInput>,
  context: WorkContext,
): Promise<StepResult> {
  const { runId, pinned, signal } = context;
  const stdout = collectOutput(redactor, (text) => context.log(outputNote("stdout", text)));
  const stderr = collectOutput(redactor, (text) => context.log(outputNote("stderr", text)));
  const folder = needsStepFolder(work.input) ? nameStepFolder(tempFolder) : undefined;
  try {
    const end = await runChild(
      {
        ...commandOf(work.input, folder),
        folder: pinned.folder,
        env: { ...env, CLEW_RUN: runId, CLEW_STEP: addressText(work) },
        mark: newMark({ runId, path: work.path }),
        ...(work.input.detach && { detach: true }),
      },
      {
        signal,
        onStarted(record) {
          context.log({ type: "step.process", ...record, ...(folder !== undefined && { folder }) });
          if (folder !== undefined) makeStepFolder(folder, work.input);
        },
        onStdout: (text) => stdout.push(text),
        onStderr: (text) => stderr.push(text),
        ...(graceMs !== undefined && { graceMs }),
      },
    );
    const result = resultOf(end, stdout.end(), stderr.end());
    if (end.survivors !== undefined) {
      context.log({ type: "step.warning", message: `could not be ended, and still run: ${end.survivors.join(", ")}` });
    }
    return result;
  } finally {
    stdout.cancel();
    stderr.cancel();
    if (folder !== undefined) removeStepFolder(folder);
  }
}

function commandOf({ shell, script }: ScriptInput, folder: string | undefined): Pick<ChildSpec, "command" | "script"> {
  if (folder === undefined) return { command: ["/bin/sh"], script: prologue([]) + script };
  return { command: [shell === "bash" ? "bash" : "/bin/sh", scriptFileIn(folder)] };
}

function resultOf(end: ChildEnd, stdout: string, stderr: string): StepResult {
  const exit_code = end.signal === null ? end.code : 128 + constants.signals[end.signal];
  const error = errorOf(end);
  return {
    success: error === undefined,
    output: stdout.endsWith("\n") ? stdout.slice(0, -1) : stdout,
    ...(exit_code !== null && { exit_code }),
    stderr,
    ...(error !== undefined && { error }),
  };
}

function errorOf({ ended, error, signal, code }: ChildEnd): string | undefined {
  if (error !== undefined) return error;
  if (ended === "aborted") return "was stopped";
  if (ended === "too_much_output") return `printed more than ${maxOutputBytes / 1024 ** 2} MiB`;
  if (signal !== null) return `was ended by ${signal}`;
  return code === 0 ? undefined : `exited with ${code}`;
}
