import { join } from "node:path";
import { ClewError } from "../../contract/errors.ts";
import { runIdPattern } from "../../contract/run.ts";

/** Where runs are kept. */
export interface RunFolders {
  journals: string;
  snapshots: string;
  signals: string;
  /** The file that holds the number of the last event. */
  lastEvent: string;
}

/** `home` is `<git-common-dir>/clew`. */
export function runFolders(home: string): RunFolders {
  return {
    journals: join(home, "logs", "workflows"),
    snapshots: join(home, "state", "workflows"),
    signals: join(home, "signals"),
    lastEvent: join(home, "state", "last-event"),
  };
}

export const runPaths = {
  journal: (folders: RunFolders, id: string) => join(folders.journals, `${checked(id)}.jsonl`),
  /** Outputs too long for the journal. */
  outputs: (folders: RunFolders, id: string) => join(folders.journals, checked(id)),
} as const;

/** Ids become paths, so they are checked where they do. */
function checked(id: string): string {
  if (runIdPattern.test(id)) return id;
  throw new ClewError("invalid_id", `${JSON.stringify(id)} is no run id`, "clew run list shows those that exist");
}
