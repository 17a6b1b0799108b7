import { join } from "node:path";
import { addFolder, foldersIn, type Listing } from "./list-folder.ts";

const rollout = /^rollout-[\dT-]{1,40}?-([0-9a-f]{8}-[0-9a-f-]{27})\.jsonl$/;

/** `sessions/Y/M/D/rollout-<time>-<id>.jsonl`. Where the agent worked, and for whom, only the file itself tells. */
export function listCodex(home: string): Listing {
  const listing: Listing = { files: [], skipped: [] };
  const sessions = join(home, "sessions");
  const years = foldersIn(sessions).map((year) => join(sessions, year));
  const months = years.flatMap((year) => foldersIn(year).map((month) => join(year, month)));
  const days = months.flatMap((month) => foldersIn(month).map((day) => join(month, day)));
  for (const folder of [...days, join(home, "archived_sessions")]) {
    addFolder(listing, "codex", folder, (name) => {
      const session = rollout.exec(name)?.[1];
      return session === undefined ? undefined : { session, parent: "" };
    });
  }
  return listing;
}
