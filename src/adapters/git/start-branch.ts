import { ClewError } from "../../contract/errors.ts";
import { branchCommit, hasRefFiles, headBranch, headCommit, realBranch } from "./refs.ts";
import type { Repository } from "./repository.ts";

/** The branch that a run's work starts from and goes into: the one that is named, or that is checked out. */
export function startBranch(repository: Repository, name: string | undefined): { base: string; target: string } {
  if (!hasRefFiles(repository)) throw reftableError(repository);
  const branch = name ?? headBranch(repository);
  if (branch === undefined) {
    throw new ClewError(
      "invalid_input",
      `no branch is checked out in ${repository.root}: HEAD is detached`,
      "name the branch to work from and merge into: --target BRANCH",
    );
  }
  const target = realBranch(repository, branch);
  const base = branchCommit(repository, target) ?? (name === undefined ? headCommit(repository) : undefined);
  if (base !== undefined) return { base, target };
  throw name === undefined
    ? new ClewError("not_possible_now", `the branch ${target} has no commit yet`, "make one: git commit")
    : new ClewError("invalid_input", `--target: there is no branch ${target}`, "git branch shows those that exist");
}

function reftableError({ commonDir }: Repository): ClewError {
  return new ClewError(
    "not_available",
    `${commonDir} keeps its branches in a reftable, which runs cannot read yet`,
    "git refs migrate --ref-format=files makes files of them",
  );
}
