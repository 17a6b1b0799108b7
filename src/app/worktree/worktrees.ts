import { idsMatching } from "../../bead/find-by-name.ts";
import { ClewError } from "../../contract/errors.ts";
import { cursorAt, readCursor, type PageRequest } from "../../contract/page.ts";
import { trimEndOf } from "../../text/trim.ts";
import type {
  ListedWorktree,
  PrunedBranch,
  PrunedWorktrees,
  RemovedWorktree,
  WorktreeList,
} from "../../contract/api/worktree.ts";
import type { WorktreeEntry, RunStart, WorktreePort, WorktreeRun, WorktreeState } from "./ports.ts";
import { describeLoss, whoNeedsIt, type KeepReason } from "./verdict.ts";

export interface WorktreeParts {
  port: WorktreePort;
  /** Undefined when there is no such run. */
  runOf: (runId: string) => WorktreeRun | undefined;
  /** Of a run that there is. */
  startOf: (runId: string) => RunStart;
}

/** The worktrees of runs, by path; `after` is the `next` of the page before. */
export async function listWorktrees(
  parts: WorktreeParts,
  { limit = Infinity, after, run }: PageRequest & { run?: string | undefined } = {},
): Promise<WorktreeList> {
  const [last = ""] = after === undefined ? [] : readCursor(after, 1);
  const all = (await sortedWorktrees(parts)).filter((each) => run === undefined || each.run === run);
  const rest = all.filter(({ folder }) => folder > last);
  const page = rest.slice(0, limit);
  const worktrees: ListedWorktree[] = [];
  for (const worktree of page) worktrees.push(await rowOf(parts, worktree));
  const next = page.length < rest.length ? page.at(-1)?.folder : undefined;
  return { worktrees, ...(next !== undefined && { next: cursorAt(next) }) };
}

/** Removes worktrees that no run needs and that hold nothing which is not elsewhere; the others are returned with the reason. */
export async function pruneWorktrees(parts: WorktreeParts, { dryRun }: { dryRun: boolean }): Promise<PrunedWorktrees> {
  const { port } = parts;
  const removed: ListedWorktree[] = [];
  const kept: ListedWorktree[] = [];
  for (const worktree of await sortedWorktrees(parts)) {
    const row = await rowOf(parts, worktree);
    if (dryRun || row.kept_because !== null) {
      (row.kept_because === null ? removed : kept).push(row);
      continue;
    }
    // Much may have happened since: the port looks again under the lock.
    const removal = await port.remove(worktree, (now, state) => verdictOn(parts, now, state)?.because);
    if (removal.kind === "kept") kept.push({ ...row, kept_because: removal.reason });
    else removed.push(row);
  }
  if (!dryRun) await port.sweep((runId) => parts.runOf(runId)?.isOver ?? true);
  return { dry_run: dryRun, removed, kept, branches: await pruneBranches(parts, dryRun) };
}

/** Only branches of runs that are over: other runs may make their worktree again, and an unknown run's branch stays. */
async function pruneBranches(parts: WorktreeParts, dryRun: boolean): Promise<PrunedBranch[]> {
  const { port, runOf, startOf } = parts;
  const pruned: PrunedBranch[] = [];
  for (const { run, branch } of await port.leftBranches()) {
    if (runOf(run)?.isOver !== true) continue;
    const removal = dryRun ? undefined : await port.removeLeftBranch(run, startOf(run), false);
    const removed = removal ? removal.kind !== "kept" : (await port.aheadOf(branch, startOf(run))) === 0;
    pruned.push({
      branch,
      run,
      removed,
      what_to_do: removed ? null : `clew worktree remove ${run} --force drops it`,
    });
  }
  return pruned;
}

/**
 * Removes the worktree that a person names, with its branch: by run, bead, folder or path; also a branch whose worktree is
 * gone. Never one whose run is not over; what is nowhere else only by force.
 */
export async function removeByName(
  parts: WorktreeParts,
  name: string,
  { force }: { force: boolean },
): Promise<RemovedWorktree> {
  const { port } = parts;
  const matches = await matchesOf(parts, name);
  if (matches.length !== 1) throw notOne(name, matches);
  const { worktree, run, bead, branch, folder } = matches[0]!;
  // A name like a run's proves nothing: what no run made is never removed, not even by force.
  if (!parts.runOf(run) && bead === null && !worktree?.isUnfinished) throw ofNoRun(branch ?? folder);
  if (!worktree) return removeBranch(parts, run, bead, force);
  let verdict: KeepReason | undefined;
  const removal = await port.remove(
    worktree,
    (now, state) => {
      const lost = describeLoss(now, state);
      const forced = lost && { ...lost, advice: `${lost.advice}; --force removes it with all that` };
      verdict = whoNeedsIt(now, runOfEntry(parts, now)) ?? (force ? undefined : forced);
      return verdict?.because;
    },
    force,
  );
  if (removal.kind === "kept") throw stays(worktree.folder, removal.reason, verdict);
  const { branchKept, commit } = removal.kind === "removed" ? removal : { branchKept: null, commit: null };
  return { run, bead, path: worktree.folder, branch: branchKept === null ? branch : null, commit };
}

async function removeBranch(
  parts: WorktreeParts,
  run: string,
  bead: string | null,
  force: boolean,
): Promise<RemovedWorktree> {
  const { port, runOf, startOf } = parts;
  const owner = runOf(run);
  if (owner && !owner.isOver) {
    throw stays(`the branch of ${run}`, `its run is ${owner.status}`, {
      because: "",
      advice: `clew run show ${run} tells how to go on with it; clew run cancel ${run} gives it up`,
    });
  }
  const removal = await port.removeLeftBranch(run, owner ? startOf(run) : { base: null, target: null }, force);
  if (removal.kind === "kept") {
    const commits =
      removal.ahead === null ? "git cannot tell what only it has" : `${removal.ahead} of its commits are nowhere else`;
    throw stays(removal.branch, commits, { because: "", advice: `clew worktree remove ${run} --force drops it` });
  }
  if (removal.kind === "none") throw notOne(run, []);
  return { run, bead, path: null, branch: removal.branch, commit: removal.commit };
}

/** Worktrees, and branches without one, that a name may mean. A run or a path is matched before a bead. */
async function matchesOf(parts: WorktreeParts, name: string): Promise<Match[]> {
  const { port, runOf } = parts;
  const worktrees = (await port.list()).map((worktree): Match => {
    const { run, bead, branch, folder } = worktree;
    return { worktree, run: run ?? "", bead, branch, folder };
  });
  const branches = (await port.leftBranches()).map(({ run, branch }): Match => ({
    run,
    branch,
    bead: runOf(run)?.bead ?? null,
    folder: "",
  }));
  const all = [...worktrees, ...branches];
  const isFolder = ({ folder }: Match): boolean =>
    folder !== "" && (folder === name || folder.endsWith(`/${trimEndOf(name, "/")}`));
  const exact = all.filter((each) => each.run === name || isFolder(each));
  if (exact.length > 0) return exact;
  const beads = new Set(idsMatching(name, [...new Set(all.flatMap(({ bead }) => bead ?? []))]));
  return all.filter(({ bead }) => bead !== null && beads.has(bead));
}

async function sortedWorktrees(parts: WorktreeParts): Promise<WorktreeEntry[]> {
  return (await parts.port.list()).sort((one, other) => (one.folder < other.folder ? -1 : 1));
}

async function rowOf(parts: WorktreeParts, worktree: WorktreeEntry): Promise<ListedWorktree> {
  const state = await parts.port.look(worktree);
  const { folder, branch, run, bead } = worktree;
  const owner = runOfEntry(parts, worktree);
  const verdict = verdictOn(parts, worktree, state);
  return {
    path: folder,
    branch,
    run,
    bead,
    status: owner?.status ?? null,
    ahead: state.ahead,
    dirty: state.changes === null || state.changes.length > 0 || state.underWay !== null,
    in_use: owner !== undefined && (!owner.isOver || owner.isDriven),
    kept_because: verdict?.because ?? null,
    what_to_do: verdict?.advice ?? null,
  };
}

function runOfEntry(parts: WorktreeParts, { run }: WorktreeEntry): WorktreeRun | undefined {
  return run === null ? undefined : parts.runOf(run);
}

function verdictOn(parts: WorktreeParts, worktree: WorktreeEntry, state: WorktreeState): KeepReason | undefined {
  return whoNeedsIt(worktree, runOfEntry(parts, worktree)) ?? describeLoss(worktree, state);
}

interface Match {
  /** Undefined when only the branch is left. */
  worktree?: WorktreeEntry;
  run: string;
  bead: string | null;
  branch: string | null;
  folder: string;
}

function stays(what: string, because: string, verdict: KeepReason | undefined): ClewError {
  const hint = verdict?.advice ?? "clew worktree list tells what it holds";
  return new ClewError("not_possible_now", `${what} stays: ${because}`, hint);
}

function ofNoRun(name: string): ClewError {
  return new ClewError(
    "not_possible_now",
    `no run is known that made ${name}`,
    "git worktree remove and git branch -D remove what is your own",
  );
}

function notOne(name: string, matches: Match[]): ClewError {
  const runs = matches.map(({ run }) => run);
  if (runs.length === 0) {
    return new ClewError("invalid_input", `no run's worktree is called ${name}`, "clew worktree list shows them");
  }
  return new ClewError("invalid_input", `${name} may be ${runs.length} worktrees`, `name its run: ${runs.join(", ")}`);
}
