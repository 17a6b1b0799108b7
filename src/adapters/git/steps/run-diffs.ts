import { ClewError } from "../../../contract/errors.ts";
import type { Verification } from "../../../contract/run.ts";
import type { PinnedRun } from "../../../contract/pinned-run.ts";
import type { RunDiffs } from "../../../app/run/ports.ts";
import type { GitCalls } from "../git-calls.ts";
import { offeredDiff } from "../merge/offer/diff.ts";
import { branchCommit } from "../refs.ts";
import type { Repository } from "../repository.ts";
import { runPlaces } from "../worktrees/run-places.ts";
import { withNewFiles } from "./new-files.ts";

interface Parts {
  git: GitCalls;
  repository: Repository;
  /** The merged tree that stands in a run's worktree, in place of its branch. */
  verificationOf: (runId: string) => Verification | undefined;
}

// Git is not let into submodules: their own settings would count there. A merge does not take their changes either.
const flags = ["--no-ext-diff", "--no-textconv", "--no-color", "--submodule=short", "--ignore-submodules=dirty", "-M"];

/** What runs changed, as git shows it. */
export function runDiffs({ git, repository, verificationOf }: Parts): RunDiffs {
  const diff = async (folder: string, args: string[], paths: string[], env = {}): Promise<Buffer> => {
    const command = ["--literal-pathspecs", "diff", ...flags, ...args, "--", ...paths];
    const { code, stdout, stderr } = await git.plain(folder, command, { env });
    if (code === 0) return stdout;
    throw new ClewError("not_possible_now", `git diff failed: ${stderr.trim()}`, `look into ${folder}`);
  };
  return {
    offered: (offer, paths) => offeredDiff(git, repository, offer, paths),
    async underWay(runId, pinned, paths) {
      const { base, worktree } = pinned;
      const folder = runPlaces(repository).get(runId);
      const branch = worktree && branchCommit(repository, worktree.branch);
      if (base !== null && folder !== undefined && !verificationOf(runId)) {
        return withNewFiles(git, folder, async (env, untracked) => {
          return { diff: await diff(folder, [base], paths, env), untracked };
        });
      }
      if (base !== null && branch !== undefined) {
        return { diff: await diff(repository.root, [base, branch], paths), untracked: [] };
      }
      throw workGone(runId, pinned);
    },
  };
}

function workGone(runId: string, { folder }: PinnedRun): ClewError {
  const message = `the worktree and the branch of run ${runId} are gone (it worked in ${folder})`;
  return new ClewError("not_possible_now", message, `clew run log ${runId} tells what it did`);
}
