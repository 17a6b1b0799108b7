import { join } from "node:path";
import { readTrimmed } from "./checkout.ts";
import type { Repository } from "./repository.ts";

const commitName = /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/;

/** The commit of a branch; undefined when there is none of that name. Starts no process. */
export function branchCommit(repository: Pick<Repository, "commonDir">, branch: string): string | undefined {
  const isName = branch !== "" && branch.split("/").every((part) => part !== "" && !/^\.|[\0\\]/.test(part));
  return isName ? refCommit(repository, `refs/heads/${branch}`) : undefined;
}

/** The commit that HEAD of a checkout names; undefined before the first commit. Starts no process. */
export function headCommit(repository: Pick<Repository, "gitDir" | "commonDir">): string | undefined {
  const head = readTrimmed(join(repository.gitDir, "HEAD"));
  if (!head?.startsWith("ref: ")) return asCommit(head);
  return refCommit(repository, head.slice("ref: ".length));
}

/** The branch that is checked out in the root. */
export function headBranch({ gitDir }: Pick<Repository, "gitDir">): string | undefined {
  return branchIn(join(gitDir, "HEAD"));
}

/** The branch that moves when this one is moved: another one where its name is only a second name for that. */
export function realBranch({ commonDir }: Pick<Repository, "commonDir">, branch: string): string {
  let name = branch;
  for (let depth = 0; depth < maxDepth; depth++) name = branchIn(join(commonDir, "refs/heads", name)) ?? name;
  return name;
}

/** As deep as git itself follows. */
const maxDepth = 5;

function branchIn(file: string): string | undefined {
  return /^ref: refs\/heads\/(.+)$/.exec(readTrimmed(file) ?? "")?.[1];
}

/** Whether the refs stand in files. With a reftable, HEAD names a branch that cannot exist. */
export function hasRefFiles(repository: Pick<Repository, "gitDir">): boolean {
  return headBranch(repository) !== ".invalid";
}

function refCommit({ commonDir }: Pick<Repository, "commonDir">, ref: string): string | undefined {
  return asCommit(readTrimmed(join(commonDir, ref)) ?? packedRef(commonDir, ref));
}

function asCommit(text: string | undefined): string | undefined {
  return text !== undefined && commitName.test(text) ? text : undefined;
}

function packedRef(commonDir: string, ref: string): string | undefined {
  const line = readTrimmed(join(commonDir, "packed-refs"))
    ?.split("\n")
    .find((each) => each.endsWith(` ${ref}`));
  return line?.split(" ")[0];
}
