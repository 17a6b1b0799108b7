import { join } from "node:path";
import { ClewError } from "../../contract/errors.ts";
import { runIdPattern } from "../../contract/run.ts";
import { sessionIdPattern } from "../../contract/session-values.ts";
import { beadFileName, withoutSuffix } from "./file-names.ts";

/** Where runs are kept. */
export interface RunFolders {
  journals: string;
  snapshots: string;
  signals: string;
  /** What connected agents handed in. */
  handedIn: string;
  /** The file that holds the number of the last event. */
  lastEvent: string;
  /** The file that lists the runs that are over. */
  endedRuns: string;
}

export function runFolders(home: string): RunFolders {
  return {
    journals: join(home, "logs", "workflows"),
    snapshots: join(home, "state", "workflows"),
    signals: join(home, "signals"),
    handedIn: join(home, "handed-in"),
    lastEvent: join(home, "state", "last-event"),
    endedRuns: join(home, "state", "ended-runs.jsonl"),
  };
}

export const runPaths = {
  journal: (folders: Pick<RunFolders, "journals">, id: string) => join(folders.journals, `${checked(id)}.jsonl`),
  /** The run whose journal has this name; undefined for any other file. */
  idOfJournal: (name: string): string | undefined => {
    const id = withoutSuffix(name, ".jsonl");
    return id !== undefined && runIdPattern.test(id) ? id : undefined;
  },
  /** Outputs too long for the journal. */
  outputs: (folders: RunFolders, id: string) => join(folders.journals, checked(id)),
  /** One of them, named by its hash. */
  output: (folder: string, sha256: string) => join(folder, `${sha256}.txt`),
  snapshot: (folders: RunFolders, id: string) => join(folders.snapshots, `${checked(id)}.json`),
  digest: (folders: RunFolders, id: string) => join(folders.snapshots, `${checked(id)}.digest`),
  /** The run whose snapshot has this name; undefined for any other file. */
  idOfSnapshot: (name: string): string | undefined => {
    const id = withoutSuffix(name, ".json");
    return id !== undefined && runIdPattern.test(id) ? id : undefined;
  },
  /** Ids have no dot, so that the files of one run never match another's. */
  signal: (folder: string, runId: string, id: string) => join(folder, `${runId}.${id}.json`),
  /** `name` is made of the step's address. */
  handedIn: (folder: string, runId: string, name: string) => join(folder, `${checked(runId)}.${name}.json`),
  isSignalOf: (name: string, runId: string) => name.startsWith(`${runId}.`) && name.endsWith(".json"),
} as const;

/** The file of a bead's claim, and the one that the first versions used. */
export function claimPaths(folder: string, bead: string): [string, string?] {
  const path = join(folder, `${beadFileName(bead)}.json`);
  const legacyName = Buffer.from(bead).toString("base64url");
  return legacyName.length <= 200 ? [path, join(folder, `${legacyName}.json`)] : [path];
}

/** The state of a work session, in the folder of these. */
export function workStatePath(folder: string, session: string): string {
  if (!sessionIdPattern.test(session))
    throw new ClewError("invalid_id", `${JSON.stringify(session)} is no session id`, "clew session list");
  return join(folder, `${session}.json`);
}

/** Why a bead could not be started, in the folder of these. */
export function refusedPath(folder: string, bead: string): string {
  return join(folder, `${beadFileName(bead)}.json`);
}

/** Ids become paths, so they are checked where they do. */
function checked(id: string): string {
  if (runIdPattern.test(id)) return id;
  throw new ClewError("invalid_id", `${JSON.stringify(id)} is no run id`, "clew run list shows those that exist");
}
