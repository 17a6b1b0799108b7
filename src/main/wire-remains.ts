import { existsSync } from "node:fs";
import { join } from "node:path";
import type { GitCalls } from "../adapters/git/git-calls.ts";
import { mendLanding } from "../adapters/git/merge/mend.ts";
import type { Repository } from "../adapters/git/repository.ts";
import type { worktreeHandler } from "../adapters/git/steps/worktree-handler.ts";
import { openWork } from "../adapters/journal-file/open-work.ts";
import { endSurvivors, findSurvivors } from "../adapters/shell/survivors.ts";
import type { RunRemains, RunStore } from "../app/run-ports.ts";
import { worktreePath, type PinnedRun } from "../contract/run.ts";

interface Parts {
  store: RunStore;
  repository: Repository;
  git: GitCalls;
  makeWorktree: ReturnType<typeof worktreeHandler>;
}

/** What runs that nobody drives left behind, for the doctor. */
export function runRemains({ store, repository, git, makeWorktree }: Parts): RunRemains {
  return {
    processes: (runId) => findSurvivors(openWork(store, runId).processes),
    endProcesses: (runId) => endSurvivors(openWork(store, runId).processes),
    landing: (runId) => openWork(store, runId).landing?.target,
    async mendLanding(runId) {
      const { landing } = openWork(store, runId);
      if (landing) await mendLanding(git, { ...repository, target: landing.target }, landing);
    },
    lostWorktree(runId, { folder }) {
      if (existsSync(join(folder, ".git"))) return false;
      for (const { line } of store.lines(runId)) {
        if (line.type === "step.prepared" && line.kind === "worktree" && line.status === "succeeded") return true;
      }
      return false;
    },
    async makeWorktree(runId: string, pinned: PinnedRun) {
      const never = new AbortController().signal;
      const task = { path: worktreePath, attempt: 1, warnings: [], timeout_ms: Infinity, within: [] };
      const { success, error } = await makeWorktree(
        { ...task, input: { kind: "worktree" } },
        { runId, pinned, signal: never, log: () => undefined, logNow: async () => undefined, isLanding: false },
      );
      return success ? undefined : error;
    },
  };
}
