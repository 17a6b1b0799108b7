import type { StepResult } from "../../../contract/run.ts";
import type { PinnedRun } from "../../../contract/pinned-run.ts";
import type { Handler } from "../../../run/handlers.ts";
import { branchLock, removeStaleLocks } from "../merge/plumbing/locks.ts";
import type { WithLock } from "../locks-of-git.ts";
import { makeWorktree } from "../worktrees/make-worktree.ts";
import { runSetup } from "../worktrees/run-setup.ts";
import { failedResult, withStepGit, type StepGit, type StepGitParts } from "./step-git.ts";

interface Parts extends StepGitParts {
  withLock: WithLock;
  isOver: (runId: string) => boolean;
}

/** Makes the checkout that a run's steps work in. */
export function worktreeHandler(parts: Parts): Handler<{ kind: "worktree" }> {
  const { repository, withLock, isOver, env, newMark } = parts;
  return ({ path }, context) =>
    withStepGit(parts, { ...context, path }, async (stepGit): Promise<StepResult> => {
      const { runId, pinned } = context;
      const { worktree, base, target, bead } = pinned;
      if (!worktree || base === null) return failedResult("the run has no branch to make a worktree of");
      const { branch, copy } = worktree;
      const spec = { ...repository, bead: bead.id, runId, branch, base, target, copy };
      // A killed git of this run leaves the lock, and no process of the run lives any more.
      await removeStaleLocks([branchLock(repository.commonDir, branch)]);
      const outcome = await makeWorktree(stepGit.git, spec, { withLock, isOver, report: stepGit.report });
      if (outcome.kind === "refused") return failedResult(outcome.message, outcome.output);
      // A run uses the folder that it pinned; a worktree that a person moved is missing there.
      if (outcome.folder !== pinned.folder)
        return failedResult(`the run's worktree was moved to ${outcome.folder}: move it back`);
      const setup = await setUp(pinned, stepGit, { env, signal: context.signal, mark: newMark({ runId, path }) });
      return setup ?? { success: true, output: outcome.folder, outputs: { branch, copied: outcome.copied } };
    });
}

async function setUp(
  { worktree, folder }: PinnedRun,
  { onProcess, onOutput }: StepGit,
  parts: { env: Parts["env"]; signal: AbortSignal; mark: string },
): Promise<StepResult | undefined> {
  const command = worktree?.setup ?? null;
  if (command === null) return undefined;
  let outputTail = "";
  const end = await runSetup(command, folder, {
    ...parts,
    onProcess,
    onOutput: (stream, text) => {
      outputTail = (outputTail + text).slice(-maxTailChars);
      onOutput(stream, text);
    },
  });
  if (end.ended === "exited" && end.code === 0) return undefined;
  const how = end.error ?? (end.signal === null ? `exited with ${end.code}` : `was ended by ${end.signal}`);
  return { ...failedResult(`worktree.setup ${how}`, outputTail), ...(end.code !== null && { exit_code: end.code }) };
}

/** The end of what a setup printed says why it failed; all of it is in the log. */
const maxTailChars = 16 * 1024;
