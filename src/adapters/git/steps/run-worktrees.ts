import type { Verification } from "../../../contract/run.ts";
import type { PinnedRun } from "../../../contract/pinned-run.ts";
import type { RunWorktrees } from "../../../app/run/ports.ts";
import type { WorktreeEntry, ReasonToKeep } from "../../../app/worktree/ports.ts";
import { describeLoss } from "../../../app/worktree/verdict.ts";
import { runBranch } from "../../../contract/worktree.ts";
import type { WorktreeSettings } from "../../../contract/settings.ts";
import type { GitCalls } from "../git-calls.ts";
import { putBranchBack, putBackMessage } from "../merge/offer/merged-checkout.ts";
import { forgetOffer } from "../merge/offer/offer-ref.ts";
import { branchCommit } from "../refs.ts";
import type { Repository } from "../repository.ts";
import type { WithLock } from "../locks-of-git.ts";
import { removeOrphanBranch } from "../worktrees/orphan-branches.ts";
import { removeWorktree } from "../worktrees/remove-worktree.ts";
import { runPlaces } from "../worktrees/run-places.ts";
import { setAside } from "../worktrees/set-aside.ts";
import { mergePlace } from "./merge-place.ts";
import { worktreePaths } from "../../layout/worktree-paths.ts";

interface Parts {
  repository: Repository;
  settings: WorktreeSettings;
  git: GitCalls;
  withLock: WithLock;
  /** The merged tree that a run left in its worktree when it was cut off. */
  verificationOf: (runId: string) => Verification | undefined;
}

/** A checkout for each run, and what becomes of it when the run is over. */
export function runWorktrees(parts: Parts): RunWorktrees {
  const { repository, settings, git, withLock } = parts;
  const { setup, copy, keep_cancelled } = settings;
  const remove = async (runId: string, reasonToKeep: ReasonToKeep): Promise<string | undefined> => {
    const removal = await removeWorktree(git, repository, ({ run }) => run === runId, { withLock, reasonToKeep });
    if (removal.kind === "kept") return `its worktree stays: ${removal.reason} (clew worktree list)`;
    if (removal.kind !== "removed" || removal.branchKept === null) return undefined;
    return `its branch ${removal.branchKept.branch} stays: ${removal.branchKept.reason}`;
  };
  const putAside = async (runId: string, pinned: PinnedRun): Promise<string | undefined> => {
    const aside = await setAside(git, repository, runId, withLock);
    return aside === undefined ? removeLeftovers(parts, runId, pinned) : `its worktree is now ${aside}`;
  };
  return {
    isTaken: (runId) => branchCommit(repository, runBranch(runId)) !== undefined,
    plan: (runId, beadId) => ({
      folder: worktreePaths.of(repository.root, beadId),
      worktree: { branch: runBranch(runId), setup, copy, keep_cancelled },
    }),
    places: () => runPlaces(repository),
    async ended(runId, pinned, status) {
      const { worktree } = pinned;
      try {
        const clearRemarks = await putBack(parts, runId, pinned);
        // When a user deleted the branch, only the offer keeps its commits.
        const isKeptElsewhere = status === "completed" || branchCommit(repository, runBranch(runId)) !== undefined;
        if (isKeptElsewhere) await forgetOffer(git, { commonDir: repository.commonDir, runId });
        // What was not merged must not be lost, whatever the run came to.
        const remark =
          status === "completed"
            ? await remove(runId, (...inspection) => describeLoss(...inspection)?.because)
            : worktree?.keep_cancelled === false
              ? await remove(runId, () => undefined)
              : await putAside(runId, pinned);
        const remarks = [...(remark === undefined ? [] : [remark]), ...clearRemarks];
        return remarks.length === 0 ? undefined : remarks.join("; ");
      } catch (error) {
        return `its worktree could not be put away: ${(error as Error).message}`;
      }
    },
  };
}

/** Puts back the branch of a run that was cancelled after a crash, in place of the merged tree. Returns remarks. */
async function putBack(parts: Parts, runId: string, pinned: PinnedRun): Promise<string[]> {
  const { git, repository } = parts;
  const verification = parts.verificationOf(runId);
  const place = verification && (await mergePlace(git, repository, { runId, pinned }));
  if (!place || "error" in place) return [];
  const result = await putBranchBack(git, place, verification);
  return result.removed.length === 0 ? [] : [putBackMessage(result)];
}

/** Removes what git keeps of a worktree that a person deleted, and the branch, unless it has commits of its own. */
async function removeLeftovers(
  { git, repository, withLock }: Parts,
  runId: string,
  { base, target }: PinnedRun,
): Promise<string | undefined> {
  const isMatch = ({ run, isMissing }: WorktreeEntry): boolean => run === runId && isMissing;
  const removal = await removeWorktree(git, repository, isMatch, { withLock, reasonToKeep: () => undefined });
  const start = { base: base ?? null, target: target ?? null };
  const branch = await removeOrphanBranch(git, repository, runId, { withLock, start, isForced: false });
  const keptBranch =
    branch.kind === "kept" ? branch.branch : removal.kind === "removed" ? removal.branchKept?.branch : undefined;
  if (keptBranch === undefined) return undefined;
  return `its branch ${keptBranch} stays: it has commits that are nowhere else (clew worktree remove ${runId} --force drops it)`;
}
