import { ClewError } from "../../contract/errors.ts";
import type { PinnedRun } from "../../contract/pinned-run.ts";
import type { Check, CheckResult } from "./examine.ts";
import type { RunBeads } from "../run/bead-of-run.ts";
import type { Claims, RunRemains, RunStore } from "../run/ports.ts";
import { isOver, listRuns, readPinnedRun, type RunListParts } from "../run/read.ts";
import { reclaim } from "../run/claimed-beads.ts";
import type { RunControl } from "../run/control.ts";
import { listWorktrees, type WorktreeParts } from "../worktree/worktrees.ts";

export interface CheckedRuns {
  reading: RunListParts;
  control: RunControl;
  store: RunStore;
  claims: Claims;
  beads: RunBeads;
  remains: RunRemains;
}

/** What the doctor says of runs, and of what they left: claims, beads, worktrees, processes, half merges. */
export function runChecks(open: () => Promise<CheckedRuns>, worktrees: () => Promise<WorktreeParts>): Check[] {
  return [
    { name: "runs", look: async () => lookAtRuns(await open()) },
    { name: "claims", look: async () => lookAtClaims(await open()) },
    { name: "beads", look: async () => lookAtBeads(await open()) },
    { name: "worktrees", look: async () => lookAtWorktrees(await open(), await worktrees()) },
  ];
}

async function lookAtRuns({ reading, remains }: CheckedRuns): Promise<CheckResult[]> {
  const { runs, unreadable } = listRuns(reading);
  const outcomes: CheckResult[] = unreadable.map(({ id, reason }) => ({
    status: "problem",
    message: `${id}: ${reason}`,
    hint: "mend that line, or move the journal away",
  }));
  for (const { id, status } of runs) {
    if (status === "running" || status === "completed") continue;
    outcomes.push(...(await lookAtRemains(id, remains)));
    if (status !== "interrupted") continue;
    outcomes.push({
      status: "warning",
      message: `${id} was interrupted`,
      hint: `clew run resume ${id} goes on`,
    });
  }
  return outcomes.length > 0 ? outcomes : [{ status: "ok", message: `${runs.length} in order` }];
}

/** What a driver that died left running, or half done. */
async function lookAtRemains(id: string, remains: RunRemains): Promise<CheckResult[]> {
  const outcomes: CheckResult[] = [];
  const alive = remains.processes(id);
  if (alive.length > 0) {
    outcomes.push({
      status: "warning",
      message: `processes of ${id} still run: ${alive.join(", ")}`,
      repair: async () => `ended ${(await remains.endProcesses(id)).join(", ")} of ${id}`,
    });
  }
  const target = await remains.halfLanded(id);
  if (target !== undefined) {
    outcomes.push({
      status: "problem",
      message: `${id} was cut off while it landed on ${target}: its checkout may hold half of the merge`,
      repair: async () => {
        const copies = await remains.mendLanding(id);
        const remark = copies.length > 0 ? `; what stood in half of a file is in ${copies.join(", ")}` : "";
        return `the checkout of ${target} is as it was before ${id} landed on it${remark}`;
      },
    });
  }
  return outcomes;
}

function isOpenOrUnreadable(store: CheckedRuns["store"], runId: string): boolean {
  try {
    return !isOver(store.state(runId));
  } catch (error) {
    if (error instanceof ClewError) return true;
    throw error;
  }
}

function lookAtClaims(runs: CheckedRuns): CheckResult[] {
  const { claims, store, control } = runs;
  const all = claims.all();
  const outcomes = all.flatMap(({ bead, run, isDriven }): CheckResult[] => {
    const isKnown = run !== null && store.exists(run);
    // What the check of runs says of a run that cannot be read keeps no other claim from being looked at.
    if (isDriven || (isKnown && isOpenOrUnreadable(store, run))) return [];
    const why = isKnown
      ? `run ${run} is over`
      : run === null
        ? "a crash came before its run"
        : `there is no run ${run}`;
    return [
      {
        status: "warning",
        message: `the claim on ${bead} is nobody's: ${why}`,
        repair: async () => {
          const holder = isKnown ? await control.settle(run) : await reclaim(runs, bead);
          return holder === undefined ? `let go of ${bead}` : `${bead} belongs to run ${holder}`;
        },
      },
    ];
  });
  return outcomes.length > 0 ? outcomes : [{ status: "ok", message: `${all.length} held by runs` }];
}

/** Beads of runs; what a person says of other beads is their own. */
function lookAtBeads({ reading, store, beads }: CheckedRuns): CheckResult[] {
  const outcomes: CheckResult[] = beads.unreadable().map(({ place, reason }) => ({
    status: "problem",
    message: `${place}: ${reason}`,
    hint: "mend or remove that line",
  }));
  const checkedBeads = new Set<string>();
  for (const { id, bead_id } of listRuns(reading).runs) {
    // Newest first: older runs have nothing to say about it any more.
    if (checkedBeads.has(bead_id)) continue;
    checkedBeads.add(bead_id);
    const state = store.state(id);
    const disagreement = beads.disagreement(state);
    if (disagreement === undefined) continue;
    outcomes.push({
      status: "warning",
      message: `${state.bead_id} is ${disagreement.is}, but its run ${state.id} makes it ${disagreement.should}`,
      repair: async () => {
        await beads.follow(state);
        return `${state.bead_id} is ${disagreement.should}`;
      },
    });
  }
  return outcomes.length > 0 ? outcomes : [{ status: "ok", message: "agree with their runs" }];
}

async function lookAtWorktrees(
  { reading, store, remains }: CheckedRuns,
  worktrees: WorktreeParts,
): Promise<CheckResult[]> {
  const { worktrees: allWorktrees } = await listWorktrees(worktrees);
  const outcomes: CheckResult[] = [];
  for (const { id, worktree, status } of listRuns(reading).runs) {
    const isNeeded = !isOver(store.state(id)) && status !== "running";
    const pinned = isNeeded ? readPinnedRun(store, id) : undefined;
    if (!pinned?.worktree || !remains.lostWorktree(id, pinned)) continue;
    outcomes.push({
      status: "problem",
      message: `the worktree of ${id} is gone: ${worktree}`,
      repair: () => makeAgain(id, pinned, remains),
    });
  }
  const removable = allWorktrees.filter(({ kept_because }) => kept_because === null);
  for (const { path } of removable) {
    outcomes.push({
      status: "warning",
      message: `nobody needs ${path}, and all that is in it is elsewhere`,
      hint: "clew worktree prune removes it",
    });
  }
  for (const folder of await worktrees.port.rubbish()) {
    outcomes.push({
      status: "warning",
      message: `${folder} is what is left of a worktree that was removed`,
      repair: async () => {
        await worktrees.port.removeRubbish(folder);
        return `removed ${folder}`;
      },
    });
  }
  return outcomes.length > 0 ? outcomes : [{ status: "ok", message: `${allWorktrees.length} in order` }];
}

async function makeAgain(id: string, pinned: PinnedRun, remains: RunRemains): Promise<string> {
  const error = await remains.makeWorktree(id, pinned);
  if (error !== undefined) throw new ClewError("not_possible_now", error, `clew run cancel ${id} gives the run up`);
  return `made ${pinned.folder} again from ${pinned.worktree!.branch}; what was not committed is lost`;
}
