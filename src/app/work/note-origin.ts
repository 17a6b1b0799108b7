import type { Breadcrumb } from "../../contract/breadcrumb.ts";
import { ClewError } from "../../contract/errors.ts";
import { engineSessionsIn } from "../../session/engine-sessions.ts";
import type { SessionRecords } from "../session/ports.ts";
import { refuseOtherBranch } from "./own-branch.ts";
import type { WorkStates } from "./ports.ts";

export interface NoteParts {
  records: Pick<SessionRecords, "read">;
  states: Pick<WorkStates, "read">;
  branchIn: (folder: string) => string | undefined;
  /** Whether `clew work` has ever driven this session, also when its state is gone. */
  isWork: (session: string) => boolean;
}

/** What a note of an agent belongs to. */
export type NoteOrigin = Pick<Breadcrumb, "task" | "engine" | "engine_session">;

/**
 * The task at hand and the engine session of the agent that works in a session. Throws a ClewError when that session's work is
 * paused, or when another branch was checked out under it: nothing is written then before a person resumes it.
 */
export async function noteOrigin(
  { records, states, branchIn, isWork }: NoteParts,
  session: string,
): Promise<NoteOrigin> {
  const { frontmatter } = await records.read(session);
  const { kind, status, bead } = frontmatter;
  const state = states.read(session);
  const isDriven = state !== undefined || (kind === "work" && isWork(session));
  if (isDriven && status === "paused") {
    throw new ClewError(
      "not_possible_now",
      `the work session ${session} is paused, and no agent works in it`,
      `clew session resume ${session} goes on with it`,
    );
  }
  if (isDriven) refuseOtherBranch(state?.agent, frontmatter, branchIn);
  const task = state?.current ?? (kind === "run" ? bead : undefined);
  const isLive = state ? state.agent !== undefined : kind === "chat" && status === "active";
  const last = isLive ? engineSessionsIn(frontmatter).at(-1) : undefined;
  const engine = state?.agent?.engine ?? last?.engine;
  return {
    ...(task != null && { task }),
    ...(engine !== undefined && { engine }),
    ...(last && last.engine === engine && { engine_session: last.session }),
  };
}
