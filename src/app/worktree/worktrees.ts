import { idsMatching } from "../../bead/find-by-name.ts";
import { ClewError } from "../../contract/errors.ts";
import type { PageRequest } from "../../contract/page.ts";
import { trimEndOf } from "../../text/trim.ts";
import type {
  ListedWorktree,
  PrunedBranch,
  PrunedWorktrees,
  RemovedWorktree,
  WorktreeList,
} from "../../contract/api/worktree.ts";
import type { WorktreeEntry, RunStart, WorktreePort, WorktreeRun, WorktreeState } from "./ports.ts";
import { describeLoss, whoNeedsIt, type Verdict } from "./verdict.ts";

interface Parts {
  port: WorktreePort;
  /** Undefined when there is no such run. */
  runOf: (runId: string) => WorktreeRun | undefined;
  /** Of a run that there is. */
  startOf: (runId: string) => RunStart;
}

/** The worktrees of runs, for every front end. */
export class Worktrees {
  readonly #parts: Parts;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** By path; `after` is the last path of the page before. */
  async list({ limit = Infinity, after = "" }: PageRequest = {}): Promise<WorktreeList> {
    const rest = (await this.#known()).filter(({ folder }) => folder > after);
    const page = rest.slice(0, limit);
    const worktrees: ListedWorktree[] = [];
    for (const worktree of page) worktrees.push(await this.#row(worktree));
    const next = page.length < rest.length ? page.at(-1)?.folder : undefined;
    return { worktrees, ...(next !== undefined && { next }) };
  }

  /** Removes worktrees that nobody needs and that have nothing which is not elsewhere; the others are told, with why. */
  async prune({ dryRun }: { dryRun: boolean }): Promise<PrunedWorktrees> {
    const { port } = this.#parts;
    const removed: ListedWorktree[] = [];
    const kept: ListedWorktree[] = [];
    for (const worktree of await this.#known()) {
      const row = await this.#row(worktree);
      if (dryRun || row.kept_because !== null) {
        (row.kept_because === null ? removed : kept).push(row);
        continue;
      }
      // Much may have happened since: it is looked at again where nobody can come between.
      const removal = await port.remove(worktree, (now, state) => this.#verdict(now, state)?.because);
      if (removal.kind === "kept") kept.push({ ...row, kept_because: removal.reason });
      else removed.push(row);
    }
    if (!dryRun) await port.sweep((runId) => this.#parts.runOf(runId)?.isOver ?? true);
    return { dry_run: dryRun, removed, kept, branches: await this.#pruneBranches(dryRun) };
  }

  /** Of runs that are over; others may make their worktree again. What no run is known of is nobody's to remove. */
  async #pruneBranches(dryRun: boolean): Promise<PrunedBranch[]> {
    const { port, runOf, startOf } = this.#parts;
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
  async remove(name: string, { force }: { force: boolean }): Promise<RemovedWorktree> {
    const { port } = this.#parts;
    const found = await this.#named(name);
    if (found.length !== 1) throw notOne(name, found);
    const { worktree, run, bead, branch, folder } = found[0]!;
    // A name like a run's proves nothing: what no run made is not ours to remove, by no force.
    if (!this.#parts.runOf(run) && bead === null && !worktree?.isUnfinished) throw nobodys(branch ?? folder);
    if (!worktree) return this.#removeBranch(run, bead, force);
    let verdict: Verdict | undefined;
    const removal = await port.remove(
      worktree,
      (now, state) => {
        const lost = describeLoss(now, state);
        const forced = lost && { ...lost, advice: `${lost.advice}; --force removes it with all that` };
        verdict = whoNeedsIt(now, this.#run(now)) ?? (force ? undefined : forced);
        return verdict?.because;
      },
      force,
    );
    if (removal.kind === "kept") throw stays(worktree.folder, removal.reason, verdict);
    const { branchKept, commit } = removal.kind === "removed" ? removal : { branchKept: null, commit: null };
    return { run, bead, path: worktree.folder, branch: branchKept === null ? branch : null, commit };
  }

  async #removeBranch(run: string, bead: string | null, force: boolean): Promise<RemovedWorktree> {
    const { port, runOf, startOf } = this.#parts;
    const known = runOf(run);
    if (known && !known.isOver) {
      throw stays(`the branch of ${run}`, `its run is ${known.status}`, {
        because: "",
        advice: `clew run show ${run} tells how to go on with it; clew run cancel ${run} gives it up`,
      });
    }
    const removal = await port.removeLeftBranch(run, known ? startOf(run) : { base: null, target: null }, force);
    if (removal.kind === "kept") {
      const commits =
        removal.ahead === null
          ? "git cannot tell what only it has"
          : `${removal.ahead} of its commits are nowhere else`;
      throw stays(removal.branch, commits, { because: "", advice: `clew worktree remove ${run} --force drops it` });
    }
    if (removal.kind === "none") throw notOne(run, []);
    return { run, bead, path: null, branch: removal.branch, commit: removal.commit };
  }

  /** Worktrees, and branches without one, that a name may mean. Whoever names a run or a path means just that. */
  async #named(name: string): Promise<Named[]> {
    const { port, runOf } = this.#parts;
    const worktrees = (await port.list()).map((worktree): Named => {
      const { run, bead, branch, folder } = worktree;
      return { worktree, run: run ?? "", bead, branch, folder };
    });
    const branches = (await port.leftBranches()).map(({ run, branch }): Named => ({
      run,
      branch,
      bead: runOf(run)?.bead ?? null,
      folder: "",
    }));
    const all = [...worktrees, ...branches];
    const isFolder = ({ folder }: Named): boolean =>
      folder !== "" && (folder === name || folder.endsWith(`/${trimEndOf(name, "/")}`));
    const exactly = all.filter((each) => each.run === name || isFolder(each));
    if (exactly.length > 0) return exactly;
    const beads = new Set(idsMatching(name, [...new Set(all.flatMap(({ bead }) => bead ?? []))]));
    return all.filter(({ bead }) => bead !== null && beads.has(bead));
  }

  /** Folders of worktrees that were removed, but for the folder itself. */
  rubbish(): Promise<string[]> {
    return this.#parts.port.rubbish();
  }

  removeRubbish(folder: string): Promise<void> {
    return this.#parts.port.removeRubbish(folder);
  }

  async #known(): Promise<WorktreeEntry[]> {
    return (await this.#parts.port.list()).sort((one, other) => (one.folder < other.folder ? -1 : 1));
  }

  async #row(worktree: WorktreeEntry): Promise<ListedWorktree> {
    const state = await this.#parts.port.look(worktree);
    const { folder, branch, run, bead } = worktree;
    const known = this.#run(worktree);
    const verdict = this.#verdict(worktree, state);
    return {
      path: folder,
      branch,
      run,
      bead,
      status: known?.status ?? null,
      ahead: state.ahead,
      dirty: state.changes === null || state.changes.length > 0 || state.underWay !== null,
      in_use: known !== undefined && (!known.isOver || known.isDriven),
      kept_because: verdict?.because ?? null,
      what_to_do: verdict?.advice ?? null,
    };
  }

  #run({ run }: WorktreeEntry): WorktreeRun | undefined {
    return run === null ? undefined : this.#parts.runOf(run);
  }

  #verdict(worktree: WorktreeEntry, state: WorktreeState): Verdict | undefined {
    return whoNeedsIt(worktree, this.#run(worktree)) ?? describeLoss(worktree, state);
  }
}

interface Named {
  /** Undefined when only the branch is left. */
  worktree?: WorktreeEntry;
  run: string;
  bead: string | null;
  branch: string | null;
  folder: string;
}

function stays(what: string, because: string, verdict: Verdict | undefined): ClewError {
  const hint = verdict?.advice ?? "clew worktree list tells what it holds";
  return new ClewError("not_possible_now", `${what} stays: ${because}`, hint);
}

function nobodys(name: string): ClewError {
  return new ClewError(
    "not_possible_now",
    `no run is known that made ${name}`,
    "git worktree remove and git branch -D remove what is your own",
  );
}

function notOne(name: string, found: Named[]): ClewError {
  const runs = found.map(({ run }) => run);
  if (runs.length === 0) {
    return new ClewError("invalid_input", `no run's worktree is called ${name}`, "clew worktree list shows them");
  }
  return new ClewError("invalid_input", `${name} may be ${runs.length} worktrees`, `name its run: ${runs.join(", ")}`);
}
