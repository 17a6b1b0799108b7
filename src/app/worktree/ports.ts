import type { VisibleStatus } from "../../contract/run.ts";

/** A worktree of a run, as git and the note in it know it. */
export interface WorktreeEntry {
  /** The folder that git keeps for it: its name for good, wherever the worktree itself is moved to. */
  gitFolder: string;
  folder: string;
  /** Its folder is not there. */
  isMissing: boolean;
  /** Its folder is there but has lost its `.git` file, or belongs to something else by now. */
  isBroken: boolean;
  /** A person moved it out of `.worktrees/`. */
  isElsewhere: boolean;
  /** The process that made it died meanwhile: no step has ever worked in it. */
  isUnfinished: boolean;
  run: string | null;
  bead: string | null;
  branch: string | null;
  /** The commit that is checked out; null when there is none. */
  head: string | null;
  base: string | null;
  target: string | null;
  copied: string[];
  /** Why a person locked it (may be empty); null when it is not locked. */
  lock: string | null;
}

/** What is in a worktree that is nowhere else. */
export interface WorktreeState {
  /** Commits that neither the target nor the base has; null when git cannot tell. */
  ahead: number | null;
  /** Paths that are not committed, some of them; null when git cannot tell. */
  changes: string[] | null;
  /** What git is in the middle of, such as a rebase. */
  underWay: string | null;
  /** Submodules with commits that none of their remotes has. */
  submodules: string[];
}

export type Removal =
  | {
      kind: "removed";
      folder: string;
      /** Left, because something on it is nowhere else. */
      branchKept: { branch: string; reason: string } | null;
      /** Where the branch was, when commits went with it that are nowhere else. */
      commit: string | null;
    }
  | { kind: "kept"; reason: string }
  /** There is no such worktree (any more). */
  | { kind: "none" };

/** The branch of a run that has no worktree any more. */
export interface OrphanBranch {
  run: string;
  branch: string;
}

/** What a run began at, and where its work was to go. */
export interface RunStart {
  base: string | null;
  target: string | null;
}

export type BranchRemoval =
  | { kind: "removed"; branch: string; commit: string | null }
  /** It has so many commits that are nowhere else; null when git cannot tell. */
  | { kind: "kept"; branch: string; ahead: number | null }
  | { kind: "none" };

/** Says why a worktree must stay; undefined lets it go. */
export type ReasonToKeep = (worktree: WorktreeEntry, state: WorktreeState) => string | undefined;

/** The worktrees of a repository's runs. Those of other people are not among them. */
export interface WorktreePort {
  list(): Promise<WorktreeEntry[]>;
  look(worktree: WorktreeEntry): Promise<WorktreeState>;
  /** Looks again under the lock of worktrees, asks, and removes it; with force, its branch in any case. */
  remove(worktree: WorktreeEntry, reasonToKeep: ReasonToKeep, isForced?: boolean): Promise<Removal>;
  leftBranches(): Promise<OrphanBranch[]>;
  /** How many commits only this branch has; null when git cannot tell. */
  aheadOf(branch: string, start: RunStart): Promise<number | null>;
  /** Removes such a branch; without force only when nothing would be lost with it. */
  removeLeftBranch(runId: string, start: RunStart, isForced: boolean): Promise<BranchRemoval>;
  /** Folders of worktrees whose removal was cut off, or is under way. */
  rubbish(): Promise<string[]>;
  removeRubbish(folder: string): Promise<void>;
  /** Removes what was cut off on its way out: folders, and offers of runs that are over. */
  sweep(isOver: (runId: string) => boolean): Promise<void>;
}

/** What is asked of the run that a worktree belongs to. */
export interface WorktreeRun {
  bead?: string;
  status: VisibleStatus;
  isOver: boolean;
  isDriven: boolean;
}
