import { worktreeTree } from "../merge/worktree-tree.ts";
import type { Repository } from "../repository.ts";
import { placeOf } from "./merge-place.ts";
import { withTaskGit, type StepContext, type TaskGitParts } from "./task-git.ts";

/** The tree that stands in a run's worktree now; undefined when nobody can tell. */
export async function treeOf(
  parts: TaskGitParts & { repository: Repository },
  context: StepContext,
): Promise<string | undefined> {
  let tree: string | undefined;
  await withTaskGit(parts, context, async ({ git }) => {
    const place = await placeOf(git, parts.repository, context);
    if (!("error" in place)) tree = await worktreeTree(git, place);
    return { success: true, output: "" };
  });
  return tree;
}
