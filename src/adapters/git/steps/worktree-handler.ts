import type { StepResult } from "../../../contract/run.ts";
import type { PinnedRun } from "../../../contract/pinned-run.ts";
import type { Handler } from "../../../run/handlers.ts";
import { branchLock, removeStaleLocks } from "../merge/plumbing/locks.ts";
import type { Repository } from "../repository.ts";
import type { WithLock } from "../worktrees/with-lock.ts";
import { makeWorktree } from "../worktrees/make-worktree.ts";
import { runSetup } from "../worktrees/run-setup.ts";
import { withTaskGit, type TaskGit, type StepGitParts } from "./step-git.ts";

interface Parts extends StepGitParts {
  repository: Repository;
  withLock: WithLock;
  isOver: (runId: string) => boolean;
}

/** Makes the checkout that a run's steps work in. */
export function worktreeHandler(parts: Parts): Handler<{ kind: "worktree" }> {
  const { repository, withLock, isOver, env, newMark } = parts;
  return ({ path }, context) =>
    withTaskGit(parts, { ...context, path }, async (at): Promise<StepResult> => {
      const { runId, pinned } = context;
      const { worktree, base, target, bead } = pinned;
      if (!worktree || base === null) return failed("the run has no branch to make a worktree of");
      const { branch, copy } = worktree;
      const spec = { ...repository, bead: bead.id, runId, branch, base, target, copy };
      // A git of this run that was killed leaves it, and nothing of the run's lives any more.
      await removeStaleLocks([branchLock(repository.commonDir, branch)]);
      const made = await makeWorktree(at.git, spec, { withLock, isOver, say: at.say });
      if (made.kind === "refused") return failed(made.message, made.output);
      // A run goes by what it pinned; a worktree that somebody moved meanwhile is not there for it.
      if (made.folder !== pinned.folder) return failed(`the run's worktree was moved to ${made.folder}: move it back`);
      const setup = await setUp(pinned, at, { env, signal: context.signal, mark: newMark({ runId, path }) });
      return setup ?? { success: true, output: made.folder, outputs: { branch, copied: made.copied } };
    });
}

async function setUp(
  { worktree, folder }: PinnedRun,
  { onProcess, onOutput }: TaskGit,
  parts: { env: Parts["env"]; signal: AbortSignal; mark: string },
): Promise<StepResult | undefined> {
  const command = worktree?.setup ?? null;
  if (command === null) return undefined;
  let printed = "";
  const end = await runSetup(command, folder, {
    ...parts,
    onProcess,
    onOutput: (stream, text) => {
      printed = (printed + text).slice(-longestTail);
      onOutput(stream, text);
    },
  });
  if (end.ended === "exited" && end.code === 0) return undefined;
  const how = end.error ?? (end.signal === null ? `exited with ${end.code}` : `was ended by ${end.signal}`);
  return { ...failed(`worktree.setup ${how}`, printed), ...(end.code !== null && { exit_code: end.code }) };
}

/** The end of what a setup printed says why it failed; all of it is in the log. */
const longestTail = 16 * 1024;

function failed(error: string, output = ""): StepResult {
  return { success: false, output, error };
}
