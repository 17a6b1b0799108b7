import type { ListedWorktree, PrunedWorktrees } from "../contract/worktree.ts";
import type { KnownWorktree, WorktreePort, WorktreeRun, WorktreeState } from "./worktree-port.ts";
import { whatWouldBeLost, whoNeedsIt, type Verdict } from "./worktree-verdict.ts";

interface Parts {
  port: WorktreePort;
  /** Undefined when there is no such run. */
  runOf: (runId: string) => WorktreeRun | undefined;
}

/** The worktrees of runs, for every front end. */
export class Worktrees {
  readonly #parts: Parts;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  async list(): Promise<ListedWorktree[]> {
    return (await this.#look()).map(({ row }) => row);
  }

  /** Removes worktrees that nobody needs and that have nothing which is not elsewhere; the others are told, with why. */
  async prune({ dryRun }: { dryRun: boolean }): Promise<PrunedWorktrees> {
    const { port } = this.#parts;
    const removed: ListedWorktree[] = [];
    const kept: ListedWorktree[] = [];
    for (const { worktree, row } of await this.#look()) {
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
    return { dry_run: dryRun, removed, kept };
  }

  /** Folders of worktrees that were removed, but for the folder itself. */
  rubbish(): Promise<string[]> {
    return this.#parts.port.rubbish();
  }

  removeRubbish(folder: string): Promise<void> {
    return this.#parts.port.removeRubbish(folder);
  }

  async #look(): Promise<{ worktree: KnownWorktree; row: ListedWorktree }[]> {
    const { port } = this.#parts;
    const found: { worktree: KnownWorktree; row: ListedWorktree }[] = [];
    for (const worktree of await port.list()) {
      found.push({ worktree, row: this.#row(worktree, await port.look(worktree)) });
    }
    return found.sort((one, other) => (one.row.path < other.row.path ? -1 : 1));
  }

  #row(worktree: KnownWorktree, state: WorktreeState): ListedWorktree {
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

  #run({ run }: KnownWorktree): WorktreeRun | undefined {
    return run === null ? undefined : this.#parts.runOf(run);
  }

  #verdict(worktree: KnownWorktree, state: WorktreeState): Verdict | undefined {
    return whoNeedsIt(worktree, this.#run(worktree)) ?? whatWouldBeLost(worktree, state);
  }
}
