import { join } from "node:path";
import type { Disk } from "../adapters/files/disk.ts";
import { sqliteHeldLocks } from "../adapters/files/held-lock.ts";
import { paths, type Layout } from "../adapters/files/layout.ts";
import { sqliteLocks } from "../adapters/files/lock.ts";
import { gitCalls, type GitCalls } from "../adapters/git/git-calls.ts";
import { lookingCalls } from "../adapters/git/looking.ts";
import type { Repository } from "../adapters/git/repository.ts";
import { worktreesLock, type Exclusively } from "../adapters/git/worktrees/exclusively.ts";
import { gitWorktrees } from "../adapters/git/worktrees/git-worktrees.ts";
import { runFolders } from "../adapters/journal-file/run-paths.ts";
import { runStore } from "../adapters/journal-file/run-store.ts";
import { markOf } from "../adapters/shell/marks.ts";
import { systemIds } from "../adapters/system/system.ts";
import type { RunStore } from "../app/run-ports.ts";
import { isOver } from "../app/run-reading.ts";
import type { WorktreeRun } from "../app/worktree-port.ts";
import { Worktrees } from "../app/worktrees.ts";
import { ClewError } from "../contract/errors.ts";

interface WorktreeParts {
  disk: Disk;
  layout: Layout;
  repository: Repository;
  env: Record<string, string | undefined>;
}

/** Puts together what lists and prunes the worktrees of runs. */
export function openWorktrees({ disk, layout, repository, env }: WorktreeParts): Worktrees {
  const store = runStore({
    disk,
    folders: runFolders(layout.home),
    drivers: sqliteHeldLocks(join(paths.locks(layout), "runs")),
  });
  const port = gitWorktrees(lookingGit(env), repository, worktreesExclusively(layout));
  return new Worktrees({ port, runOf: (runId) => runOf(store, runId) });
}

/** Git outside of steps: what it runs need not be recorded, because nothing is left half done by its end. */
export function unheardGit(env: Record<string, string | undefined>): GitCalls {
  return gitCalls({
    env,
    signal: new AbortController().signal,
    newMark: () => markOf({ runId: "clew", path: "git" }, systemIds.random(20)),
    onProcess: () => undefined,
    onOutput: () => undefined,
  });
}

/** The same for whoever only looks: what the repository's own settings name is not started for them. */
export function lookingGit(env: Record<string, string | undefined>): GitCalls {
  return lookingCalls(unheardGit(env), env);
}

/** A large checkout takes its time, and others may wait for several of them. */
const longPatienceMs = 600_000;

/** One at a time over all processes: whoever makes, moves or removes worktrees of this repository. */
export function worktreesExclusively(layout: Layout, patienceMs = longPatienceMs): Exclusively {
  return oneAtATime(layout, worktreesLock, patienceMs);
}

/** Merges of several runs take turns: one git at a time can work in a checkout. */
export function landingsExclusively(layout: Layout): Exclusively {
  return oneAtATime(layout, "landing", longPatienceMs);
}

function oneAtATime(layout: Layout, name: string, patienceMs: number): Exclusively {
  return async (work) => {
    const locks = sqliteLocks(paths.locks(layout), patienceMs);
    try {
      return await locks.with(name, work);
    } finally {
      locks.close();
    }
  };
}

function runOf(store: RunStore, runId: string): WorktreeRun | undefined {
  if (!store.exists(runId)) return undefined;
  const isDriven = store.isDriven(runId);
  try {
    const state = store.state(runId);
    const status = state.status === "running" && !isDriven ? "interrupted" : state.status;
    return { status, isOver: isOver(state), isDriven };
  } catch (error) {
    // Nobody knows what a run with a damaged journal still needs.
    if (error instanceof ClewError) return { status: "interrupted", isOver: false, isDriven };
    throw error;
  }
}
