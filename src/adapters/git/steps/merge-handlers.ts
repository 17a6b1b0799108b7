import type { Landing, Preparation, StepResult } from "../../../contract/run.ts";
import type { MergeInput } from "../../../contract/step-input.ts";
import type { MergeOffer } from "../../../contract/merge-offer.ts";
import type { EndReason, Handler, WorkContext } from "../../../run/handlers.ts";
import { conflictResult, movedResult, offerResult } from "../../../run/merge-results.ts";
import type { GitCalls } from "../git-calls.ts";
import { followSquash } from "../merge/landing/follow-squash.ts";
import { isLanded, landMerge } from "../merge/landing/land-merge.ts";
import { mendLanding } from "../merge/landing/mend.ts";
import { commitMessages } from "../merge/offer/commit-messages.ts";
import { forgetOffer } from "../merge/offer/offer-ref.ts";
import { prepareMerge } from "../merge/offer/prepare-offer.ts";
import { landingOf } from "../merge/types.ts";
import type { Repository } from "../repository.ts";
import type { WithLock } from "../locks-of-git.ts";
import { mergePlace } from "./merge-place.ts";
import { failedResult, withStepGit, type StepGit, type StepGitParts } from "./step-git.ts";
import { endVerification } from "./verify-handler.ts";

interface LandingParts extends StepGitParts {
  /** One landing at a time in the repository. */
  withLock: WithLock;
}

/** Computes a merge, for a person to approve. */
export function offerHandler(parts: StepGitParts): Handler<Extract<Preparation, { kind: "offer" }>> {
  return ({ path, input: { strategy } }, context) =>
    withStepGit(parts, { ...context, path }, async ({ git }): Promise<StepResult> => {
      const place = await mergePlace(git, parts.repository, context);
      if ("error" in place) return place;
      const obstacle = await endVerification(git, place, context);
      if (obstacle) return obstacle;
      const merge = await prepareMerge(git, place, { strategy, ...commitMessages(context.runId, context.pinned.bead) });
      switch (merge.kind) {
        case "offer":
          return offerResult(merge.offer, merge.diff);
        case "nothing":
          return offerResult(null, "");
        case "conflict": {
          const files = merge.files.length === 1 ? "a file" : `${merge.files.length} files`;
          const summary = `${files} conflict with ${place.target}: ${merge.files.join(", ")}`;
          return conflictResult(`${summary}; solve that in the worktree, then retry`, merge.files, merge.markers);
        }
        case "refused":
          return failedResult(merge.message, merge.output);
      }
    });
}

/** Lands an offer on its target, exactly as it was offered or not at all. */
export function mergeHandler(parts: LandingParts): Handler<MergeInput> {
  return async ({ path, input: { offer } }, workContext) => {
    const context = { ...workContext, path };
    if (!offer) return { success: true, output: "", summary: "nothing to merge" };
    const { repository } = parts;
    let { landing } = context;
    const work = async ({ git }: StepGit): Promise<StepResult> => {
      // First of all: when this attempt ends, the journal names no open landing, and its half would never be mended.
      if (landing) await mend(git, repository, landing, context);
      const place = await mergePlace(git, repository, context);
      if ("error" in place) return place;
      // A user who cancelled meanwhile wants no other try; what has landed by then is reported below.
      if (landing && context.signal.aborted && !(await isLanded(git, place, offer))) return failedResult("was stopped");
      const onLanding = (): Promise<void> => {
        landing = landingOf(offer);
        return context.logNow({ type: "merge.landing", ...landing });
      };
      const landed = await parts.withLock(() => landMerge(git, place, offer, { onLanding }));
      if (landed.kind === "moved") return movedResult(landed.message);
      if (landed.kind === "waits") {
        return { success: false, output: landed.message, outputs: { in_the_way: landed.files }, error: landed.message };
      }
      const followWarning = offer.strategy === "squash" ? await followSquash(git, place, offer) : undefined;
      if (followWarning !== undefined) context.log({ type: "step.warning", message: followWarning });
      await forgetOffer(git, place);
      return landedResult(offer);
    };
    const result = await withStepGit(parts, context, work, onlyTimeout(context.signal));
    const isCutOff = context.signal.reason === ("timeout" satisfies EndReason) && landing && !result.success;
    if (!isCutOff) return result;
    // No driver comes back to this before a person gives a signal.
    const mendAfterTimeout = async ({ git }: StepGit): Promise<StepResult> => {
      await mend(git, repository, landing!, context);
      const hasLanded = await isLanded(git, { ...repository, target: offer.target }, offer);
      return hasLanded ? landedResult(offer) : result;
    };
    return withStepGit(parts, context, mendAfterTimeout, new AbortController().signal);
  };
}

/**
 * Undoes what a landing that was cut off left in the target's checkout. Throws when it cannot: the run is then interrupted,
 * and its next driver tries again.
 */
async function mend(git: GitCalls, repository: Repository, landing: Landing, context: WorkContext): Promise<void> {
  for (const copy of await mendLanding(git, repository, landing)) {
    const message = `a file was put back that git had begun to write; what stood there is in ${copy}`;
    context.log({ type: "step.warning", message });
  }
}

/** Only a timeout ends a landing: it is short, and stopping it half-way only leaves work for mending. */
function onlyTimeout(signal: AbortSignal): AbortSignal {
  const controller = new AbortController();
  const onAbort = (): void => {
    if (signal.reason === ("timeout" satisfies EndReason)) controller.abort();
  };
  signal.addEventListener("abort", onAbort);
  if (signal.aborted) onAbort();
  return controller.signal;
}

function landedResult({ target, commit, totals: { files, added, deleted } }: MergeOffer): StepResult {
  const counts = `${files} ${files === 1 ? "file" : "files"}, +${added} −${deleted}`;
  return { success: true, output: commit, summary: `merged into ${target} as ${commit.slice(0, 9)}: ${counts}` };
}
