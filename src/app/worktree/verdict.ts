import { listFirst } from "../../text/list-first.ts";
import { shellWord } from "../../text/shell-word.ts";
import type { WorktreeEntry, WorktreeRun, WorktreeState } from "./ports.ts";

/** Why a worktree stays, and how a person gets on with it. */
export interface KeepReason {
  because: string;
  advice: string;
}

export function whoNeedsIt(
  { run, folder, lock, isElsewhere, isBroken }: WorktreeEntry,
  owner: WorktreeRun | undefined,
): KeepReason | undefined {
  if (owner?.isDriven) return { because: "its run is at work", advice: `wait for it, or: clew run cancel ${run}` };
  if (owner && !owner.isOver) {
    return { because: `its run is ${owner.status}`, advice: `clew run show ${run} tells how to go on with it` };
  }
  const path = shellWord(folder);
  if (lock !== null) {
    const because = lock === "" ? "it is locked" : `it is locked: ${lock}`;
    return { because, advice: `git worktree unlock ${path}` };
  }
  if (isBroken) return { because: "its folder has lost its .git file", advice: `git worktree repair ${path}` };
  if (isElsewhere) return { because: "it was moved out of .worktrees", advice: `git worktree remove ${path}` };
  return undefined;
}

/** What is in a worktree and nowhere else; undefined when nothing is, so that it may go. */
export function describeLoss(
  { folder, run, target }: WorktreeEntry,
  { ahead, changes, underWay, submodules }: WorktreeState,
): KeepReason | undefined {
  const path = shellWord(folder);
  if (underWay !== null) return { because: `${underWay} is under way in it`, advice: `git -C ${path} status` };
  if (changes === null) return { because: "git cannot tell what is in it", advice: `git -C ${path} status` };
  if (changes.length > 0) {
    return { because: `not committed: ${listFirst(changes, 3)}`, advice: `commit or delete it: git -C ${path} status` };
  }
  if (ahead === null) {
    return { because: "git cannot tell what only its branch has", advice: `git -C ${path} log` };
  }
  if (ahead > 0) {
    const commits = ahead === 1 ? "1 commit is" : `${ahead} commits are`;
    const drop = `clew worktree remove ${run ?? path} --force`;
    return { because: `${commits} not in ${target ?? "what it began at"}`, advice: `merge, or drop it: ${drop}` };
  }
  const [module] = submodules;
  if (module === undefined) return undefined;
  return { because: `${module} has commits that no remote has`, advice: `git -C ${shellWord(module)} push` };
}
