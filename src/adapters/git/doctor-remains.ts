import { existsSync } from "node:fs";
import { join } from "node:path";
import type { HeldLocks } from "../files/held-lock.ts";
import type { GitCalls } from "./git-calls.ts";
import { isHalfLanded, mendLanding } from "./merge/landing/mend.ts";
import type { Repository } from "./repository.ts";
import type { worktreeHandler } from "./steps/worktree-handler.ts";
import { interruptedWork } from "../journal-file/interrupted-work.ts";
import { endSurvivors, findSurvivors } from "../shell/survivors.ts";
import type { RunRemains, RunStore } from "../../app/run/ports.ts";
import { ClewError } from "../../contract/errors.ts";
import { worktreePath } from "../../contract/run.ts";

interface Parts {
  store: RunStore;
  drivers: HeldLocks;
  repository: Repository;
  git: GitCalls;
  readOnlyGit: GitCalls;
  makeWorktree: ReturnType<typeof worktreeHandler>;
}

/** What runs without a driver left behind, for the doctor. */
export function runRemains({ store, drivers, repository, git, readOnlyGit, makeWorktree }: Parts): RunRemains {
  /** Throws when a driver has the run by now: it does all of this itself. */
  async function withDriverLock<T>(runId: string, action: () => Promise<T>): Promise<T> {
    const release = drivers.tryAcquire(runId);
    if (!release) throw new ClewError("not_possible_now", `somebody goes on with ${runId} now`, "look again later");
    try {
      return await action();
    } finally {
      release();
    }
  }
  return {
    processes: (runId) => findSurvivors(interruptedWork(store, runId).processes),
    endProcesses: (runId) => withDriverLock(runId, () => endSurvivors(interruptedWork(store, runId).processes)),
    async halfLanded(runId) {
      const { landing } = interruptedWork(store, runId);
      return landing && (await isHalfLanded(readOnlyGit, repository, landing)) ? landing.target : undefined;
    },
    mendLanding: (runId) =>
      withDriverLock(runId, async () => {
        const { landing, processes } = interruptedWork(store, runId);
        await endSurvivors(processes);
        return landing ? mendLanding(git, repository, landing) : [];
      }),
    lostWorktree(runId, { folder }) {
      if (existsSync(join(folder, ".git"))) return false;
      for (const { line } of store.lines(runId)) {
        if (line.type === "step.prepared" && line.kind === "worktree" && line.status === "succeeded") return true;
      }
      return false;
    },
    makeWorktree: (runId, pinned) =>
      withDriverLock(runId, async () => {
        // A folder without its .git file only has to be linked to the repository again.
        if (existsSync(pinned.folder)) await git.plain(repository.root, ["worktree", "repair", pinned.folder]);
        const work = { path: worktreePath, attempt: 1, warnings: [], timeout_ms: Infinity, within: [] };
        const { signal } = new AbortController();
        const log = { log: () => undefined, logNow: async () => undefined };
        const { success, error } = await makeWorktree(
          { ...work, input: { kind: "worktree" } },
          { runId, pinned, signal, ...log, landing: undefined, verification: undefined },
        );
        return success ? undefined : error;
      }),
  };
}
