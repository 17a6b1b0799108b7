import { ClewError } from "../../contract/errors.ts";
import type { Frontmatter } from "../../contract/session.ts";
import type { WorkState } from "../../contract/work-state.ts";
import { engineSessionsIn } from "../../session/engine-sessions.ts";

/**
 * What an agent writes belongs to the branch that it began on. Throws when another one is checked out where it works. When nothing
 * tells of the live agent any more, its session does.
 */
export function refuseOtherBranch(
  agent: WorkState["agent"],
  frontmatter: Pick<Frontmatter, "session_id" | "branch" | "engine_sessions">,
  branchIn: (folder: string) => string | undefined,
): void {
  const began = agent?.branch === undefined ? branchOf(frontmatter) : agent.branch;
  const folder = agent?.folder ?? engineSessionsIn(frontmatter).at(-1)?.folder;
  if (began === undefined || folder === undefined) return;
  const now = branchIn(folder) ?? null;
  if (now === began) return;
  const wanted = began === null ? "no branch" : `the branch ${began}`;
  throw new ClewError(
    "not_possible_now",
    `the work session ${frontmatter.session_id} works on ${wanted}, and ${now ?? "no branch"} is checked out`,
    "stop here: the work is paused, and goes on when a person resumes it on its own branch",
  );
}

/** The branch that a session was begun on, and goes on with; undefined when it tells none. */
function branchOf({ branch }: Pick<Frontmatter, "branch">): string | undefined {
  return typeof branch === "string" && branch !== "" ? branch : undefined;
}
