import { existsSync } from "node:fs";
import type { MergeInput, MergeOffer, PinnedRun, StepResult } from "../../../contract/run.ts";
import type { EndReason, Handler, TaskContext } from "../../../run/handlers.ts";
import { conflicted, moved, offered } from "../../../run/merge-results.ts";
import type { GitCalls } from "../git-calls.ts";
import { landMerge } from "../merge/land-merge.ts";
import { forgetOffer } from "../merge/offer-ref.ts";
import { prepareMerge } from "../merge/prepare-merge.ts";
import type { MergePlace } from "../merge/types.ts";
import type { Repository } from "../repository.ts";
import { listWorktrees } from "../worktrees/known-worktrees.ts";
import { withTaskGit, type TaskGit, type TaskGitParts } from "./task-git.ts";

interface Parts extends TaskGitParts {
  repository: Repository;
}

/** What a merge would bring is worked out here, for a person to look at. */
export function offerHandler(parts: Parts): Handler<{ kind: "offer" }> {
  return (_task, context) =>
    withTaskGit(parts, context, async ({ git }): Promise<StepResult> => {
      const place = await placeOf(git, parts.repository, context);
      if ("error" in place) return place;
      const prepared = await prepareMerge(git, place, messagesOf(context));
      switch (prepared.kind) {
        case "offer":
          return offered(prepared.offer, prepared.diff);
        case "nothing":
          return offered(null, "");
        case "conflict": {
          const files = prepared.files.length === 1 ? "a file" : `${prepared.files.length} files`;
          const what = `${files} conflict with ${place.target}: ${prepared.files.join(", ")}`;
          return conflicted(`${what}; solve that in the worktree, then retry`, prepared.files, prepared.markers);
        }
        case "refused":
          return { success: false, output: prepared.output, error: prepared.message };
      }
    });
}

/** What was offered is landed on its target, exactly as it was offered or not at all. */
export function mergeHandler(parts: Parts): Handler<MergeInput> {
  return ({ input: { offer } }, context) => {
    const work = async ({ git }: TaskGit): Promise<StepResult> => {
      if (!offer) return { success: true, output: "", summary: "nothing to merge" };
      const place = await placeOf(git, parts.repository, context);
      if ("error" in place) return place;
      const { target, target_head: from, commit: to } = offer;
      const landed = await landMerge(git, place, offer, {
        begun: context.isLanding,
        onLanding: () => context.logNow({ type: "merge.landing", target, from, to }),
      });
      if (landed.kind === "moved") return moved(landed.message);
      if (landed.kind === "waits") {
        return { success: false, output: landed.message, outputs: { in_the_way: landed.files }, error: landed.message };
      }
      await forgetOffer(git, place);
      return { success: true, output: landed.commit, summary: summaryOf(offer) };
    };
    return withTaskGit(parts, context, work, onlyTimeout(context.signal));
  };
}

/** Nobody stops a landing half-way: it takes a moment, and all that could follow is mending. Only what hangs is ended. */
function onlyTimeout(signal: AbortSignal): AbortSignal {
  const controller = new AbortController();
  const onAbort = (): void => {
    if (signal.reason === ("timeout" satisfies EndReason)) controller.abort();
  };
  signal.addEventListener("abort", onAbort);
  if (signal.aborted) onAbort();
  return controller.signal;
}

function summaryOf({ target, commit, totals: { files, added, deleted } }: MergeOffer): string {
  return `merged into ${target} as ${commit.slice(0, 9)}: ${files} ${files === 1 ? "file" : "files"}, +${added} −${deleted}`;
}

async function placeOf(
  git: GitCalls,
  repository: Repository,
  { runId, pinned }: TaskContext,
): Promise<MergePlace | (StepResult & { error: string })> {
  const { folder, worktree, target } = pinned;
  if (!worktree || target === null) return missing("the run has no branch of its own, or none to merge into");
  if (!existsSync(folder)) {
    return missing(`the worktree ${folder} is gone: clew doctor --repair makes it again from ${worktree.branch}`);
  }
  const known = (await listWorktrees(git, repository)).find(({ run }) => run === runId);
  const { commonDir } = repository;
  return { worktree: folder, branch: worktree.branch, target, commonDir, copied: known?.copied ?? [], runId };
}

function missing(error: string): StepResult & { error: string } {
  return { success: false, output: "", error };
}

function messagesOf({ runId, pinned }: { runId: string; pinned: PinnedRun }): { commit: string; merge: string } {
  const { id, title } = pinned.bead;
  const subject = title.replace(/\s+/g, " ").trim() || id;
  const trailers = `Bead: ${id.replace(/\s+/g, " ")}\nRun: ${runId}\n`;
  return { commit: `${subject}\n\n${trailers}`, merge: `Merge ${id.replace(/\s+/g, " ")}: ${subject}\n\n${trailers}` };
}
