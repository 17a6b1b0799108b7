import { ClewError } from "../../../contract/errors.ts";
import type { StepResult, WorkInput, Verification, VerifyInput } from "../../../contract/run.ts";
import type { ScriptInput } from "../../../contract/step-input.ts";
import type { Handler, WorkContext } from "../../../run/handlers.ts";
import { movedResult } from "../../../run/merge-results.ts";
import type { GitCalls } from "../git-calls.ts";
import { branchRef, checkoutAt, tipCommit } from "../merge/plumbing/ask.ts";
import { checkOutMergedCommit, ignoredIn, putBranchBack, putBackMessage } from "../merge/offer/merged-checkout.ts";
import { displayPath, type BytePath } from "../merge/plumbing/paths.ts";
import type { MergePlace } from "../merge/types.ts";
import { uncommittedIn } from "../merge/plumbing/git-status.ts";
import { mergePlace } from "./merge-place.ts";
import { failedResult, withStepGit, type StepContext, type StepGit, type StepGitParts } from "./step-git.ts";

/** Runs a command on the merged tree, in the run's worktree, and puts the run's branch back there. */
export function verifyHandler(parts: StepGitParts & { runScript: Handler<ScriptInput> }): Handler<VerifyInput> {
  return async (work, workContext) => {
    const context = { ...workContext, path: work.path };
    const { commit, head, ...command } = work.input;
    let ignoredBefore: ReadonlySet<BytePath> | undefined;
    let verification: Verification | undefined;

    const begin = async ({ git }: StepGit): Promise<StepResult> => {
      const place = await mergePlace(git, parts.repository, context);
      if ("error" in place) return place;
      const obstacle = await endVerification(git, place, context);
      if (obstacle) return obstacle;
      const change = await describeMove(git, place, head);
      if (change !== undefined) return movedResult(change);
      ignoredBefore = await ignoredIn(git, place.worktree);
      verification = { branch: place.branch, head, commit };
      await context.logNow({ type: "merge.verifying", ...verification });
      const refusal = await checkOutMergedCommit(git, place, commit);
      if (refusal === undefined) return succeeded;
      return failedResult("the merged tree could not be checked out in the worktree", refusal);
    };
    let result = await withStepGit(parts, context, begin);
    if (result.success) result = await parts.runScript({ ...work, input: { ...command, kind: "script" } }, workContext);
    if (!verification) return result;
    // No signal stops this: the next reader of the worktree expects the branch there.
    const open = { ...context, verification, signal: new AbortController().signal };
    const endResult = await endOpenVerification(parts, open, ignoredBefore);
    return endResult.success ? result : endResult;
  };
}

/** Lets steps work only with the run's branch in the worktree: a verification that was cut off is ended first. */
export function afterVerification<Input extends WorkInput>(
  parts: StepGitParts,
  handler: Handler<Input>,
): Handler<Input> {
  return async (work, context) => {
    if (!context.verification) return handler(work, context);
    const endResult = await endOpenVerification(parts, { ...context, path: work.path });
    return endResult.success ? handler(work, context) : endResult;
  };
}

function endOpenVerification(
  parts: StepGitParts,
  context: StepContext,
  ignoredBefore?: ReadonlySet<BytePath>,
): Promise<StepResult> {
  return withStepGit(parts, context, async ({ git }) => {
    const place = await mergePlace(git, parts.repository, context);
    return "error" in place ? place : ((await endVerification(git, place, context, ignoredBefore)) ?? succeeded);
  });
}

const succeeded: StepResult = { success: true, output: "" };

/** Puts the branch back after a verification, if one is open. Returns a failure when git cannot. */
export async function endVerification(
  git: GitCalls,
  place: MergePlace,
  { verification, log, logNow }: Pick<WorkContext, "verification" | "log" | "logNow">,
  ignoredBefore?: ReadonlySet<BytePath>,
): Promise<StepResult | undefined> {
  if (!verification) return undefined;
  try {
    const putBackResult = await putBranchBack(git, place, verification, ignoredBefore);
    const { removed } = putBackResult;
    // Synced, because from here on changes in the worktree are a person's.
    await logNow({ type: "merge.verified", removed: removed.slice(0, maxRecordedPaths) });
    if (removed.length > 0) log({ type: "step.warning", message: putBackMessage(putBackResult) });
    return undefined;
  } catch (error) {
    if (!(error instanceof ClewError && error.code === "not_possible_now")) throw error;
    return failedResult(`${error.message}: ${error.hint}`);
  }
}

/** Says what moved since the merge was computed: then it has to be computed anew. */
async function describeMove(git: GitCalls, place: MergePlace, head: string): Promise<string | undefined> {
  const { worktree, commonDir, branch } = place;
  const checkout = await checkoutAt(git, worktree);
  if (checkout?.branch !== branchRef(branch)) return `${worktree} is not on ${branch} any more`;
  if ((await tipCommit(git, commonDir, branch)) !== head) return `${branch} has moved since the merge was computed`;
  const [first] = await uncommittedIn(git, place);
  return first && `${displayPath(first.path)} changed in ${worktree} since the merge was computed`;
}

const maxRecordedPaths = 100;
