import { workStateFiles } from "../adapters/files/work-state-files.ts";
import { runSigns } from "../adapters/journal-file/run-signs.ts";
import { branchIn } from "../adapters/git/branch-in.ts";
import { paths } from "../adapters/layout.ts";
import { noteOrigin, type NoteOrigin } from "../app/work/note-origin.ts";
import type { SessionParts } from "../app/session/parts.ts";
import type { Ground } from "./wire-ground.ts";

/** What a note of an agent belongs to. Needs little: agents leave many. */
export async function originOfNote(
  { disk, layout, locks }: Ground,
  { records, redact }: Pick<SessionParts, "records" | "redact">,
  session: string,
): Promise<NoteOrigin> {
  const states = workStateFiles({ disk, folder: paths.workStates(layout), locks, redact: await redact() });
  const { isWork } = runSigns(disk, layout);
  return noteOrigin({ records, states, branchIn, isWork }, session);
}
