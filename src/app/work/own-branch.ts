import { ClewError } from "../../contract/errors.ts";
import type { WorkState } from "../../contract/work-state.ts";

/** What an agent writes belongs to the branch that it began on. Throws when another one is checked out where it works. */
export function refuseOtherBranch(
  { session, agent }: WorkState,
  branchIn: (folder: string) => string | undefined,
): void {
  if (agent?.branch === undefined) return;
  const now = branchIn(agent.folder) ?? null;
  if (now === agent.branch) return;
  const wanted = agent.branch === null ? "no branch" : `the branch ${agent.branch}`;
  throw new ClewError(
    "not_possible_now",
    `the work session ${session} works on ${wanted}, and ${now ?? "no branch"} is checked out`,
    "stop here: the work is paused, and goes on when a person resumes it on its own branch",
  );
}
