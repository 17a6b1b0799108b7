import { ClewError } from "../../../contract/errors.ts";
import { isHalfMadeError } from "../half-made-worktree.ts";

export function gitFailed(stderr: string): ClewError {
  const hint = isHalfMadeError(stderr)
    ? "a git that was killed left a worktree half made: git worktree prune removes it"
    : "git status in this folder tells more";
  return new ClewError("not_available", `git does not answer: ${stderr.trim()}`, hint);
}
