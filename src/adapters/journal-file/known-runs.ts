import type { JournalWatch } from "../../app/run/event-tail.ts";
import type { Disk } from "../files/disk.ts";
import type { RunFolders } from "../layout/run-paths.ts";
import { EndedRuns } from "./ended-runs.ts";
import { journalIds } from "./journal-ids.ts";

/** What a process learned of all runs. One that lives long keeps it, so that a list costs what changed. */
export interface KnownRuns {
  ids: () => readonly string[];
  endedRuns: EndedRuns;
}

/** Without a watch of the journals, each ended run is compared with its journal in every list. */
export function knownRuns(disk: Disk, folders: RunFolders, watch?: Pick<JournalWatch, "take">): KnownRuns {
  return { ids: journalIds(disk, folders), endedRuns: new EndedRuns(disk, folders.endedRuns, watch) };
}
