import { ClewError } from "../../contract/errors.ts";
import type { RunStore } from "../run/ports.ts";
import { isOver, readPinnedRun, visibleStatus } from "../run/read.ts";
import type { RunStart, WorktreeRun } from "./ports.ts";

/** What is known of the run that a worktree belongs to; undefined when there is no such run. */
export function runOfWorktree(store: RunStore, runId: string): WorktreeRun | undefined {
  if (!store.exists(runId)) return undefined;
  const isDriven = store.isDriven(runId);
  try {
    const state = store.state(runId);
    return { bead: state.bead_id, status: visibleStatus(state.status, isDriven), isOver: isOver(state), isDriven };
  } catch (error) {
    // What a run with a damaged journal still needs is unknown.
    if (error instanceof ClewError) return { status: "interrupted", isOver: false, isDriven };
    throw error;
  }
}

/** What the run's first line says, which is never damaged in a run that could be read. */
export function startOfRun(store: RunStore, runId: string): RunStart {
  const { base = null, target = null } = readPinnedRun(store, runId) ?? {};
  return { base, target };
}
