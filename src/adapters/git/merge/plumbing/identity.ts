import type { GitCalls } from "../../git-calls.ts";
import { ask } from "./ask.ts";
import { refusedMerge, type MergeRefusal } from "../types.ts";

/** Whether a commit failed for want of a name, with the fix: git says it in many words, and in the user's language. */
export async function whyNoIdentity(git: GitCalls, folder: string): Promise<MergeRefusal | undefined> {
  for (const variable of ["GIT_AUTHOR_IDENT", "GIT_COMMITTER_IDENT"]) {
    const { code, stderr } = await ask(git, folder, ["var", variable]);
    if (code === 0) continue;
    return refusedMerge(
      'git does not know who commits: git config --global user.name "…" and git config --global user.email "…"',
      stderr.trim(),
    );
  }
  return undefined;
}
