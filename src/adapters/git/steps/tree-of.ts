import { gitCalls } from "../git-calls.ts";
import { mayDiffer, worktreeTree } from "../merge/offer/worktree-tree.ts";
import { mergePlace, type RunPlace } from "./merge-place.ts";
import type { StepContext, StepGitParts } from "./step-git.ts";

/** Whose worktree is looked at, and what hears of the processes that do it. */
export type LookContext = RunPlace & Pick<StepContext, "path" | "signal" | "log">;

/**
 * The tree that stands in a run's worktree now; undefined when git cannot tell. What git prints is not part of the step's
 * output.
 */
export async function gitTreeOf(
  { env, newMark, repository }: Pick<StepGitParts, "env" | "newMark" | "repository">,
  context: LookContext,
): Promise<string | undefined> {
  const git = gitCalls({
    env,
    signal: context.signal,
    newMark: () => newMark(context),
    onProcess: (record) => context.log({ type: "step.process", ...record }),
    onOutput: () => undefined,
  });
  try {
    const place = await mergePlace(git, repository, context);
    if ("error" in place || (await mayDiffer(git, place))) return undefined;
    return await worktreeTree(git, place);
  } catch (error) {
    // Git was ended with the step.
    if (context.signal.aborted) return undefined;
    throw error;
  }
}
