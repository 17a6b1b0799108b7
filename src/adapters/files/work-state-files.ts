import { ClewError } from "../../contract/errors.ts";
import type { Redact } from "../../contract/redacted.ts";
import { workState, type WorkState } from "../../contract/work-state.ts";
import type { WorkStates } from "../../app/work/ports.ts";
import { writable } from "../../app/work/state.ts";
import { workStatePath } from "../layout/run-paths.ts";
import type { Disk } from "./disk.ts";
import type { Locks } from "./lock.ts";
import { readJson } from "./read-json.ts";

interface Parts {
  disk: Disk;
  folder: string;
  locks: () => Promise<Locks>;
  redact: Redact;
}

/** The states of work sessions, one synced file each, for the user alone. */
export function workStateFiles({ disk, folder, locks, redact }: Parts): WorkStates {
  const pathOf = (session: string): string => workStatePath(folder, session);
  const read = (session: string): WorkState | undefined =>
    readJson(disk, pathOf(session), (value) => workState.parse(value));
  const write: WorkStates["write"] = (session, state) => {
    disk.makeFolder(folder);
    disk.replace(pathOf(session), Buffer.from(`${JSON.stringify(state)}\n`), 0o600);
  };
  return {
    read,
    write,
    remove: (session) => disk.remove(pathOf(session)),
    change: async (session, work) =>
      (await locks()).with(`work/${session}`, async () => {
        const state = read(session);
        if (!state) throw new ClewError("unknown_session", `there is no work session ${session}`, "clew session list");
        const changed = await work(state);
        if (changed !== state) write(session, writable(changed, redact));
        return changed;
      }),
  };
}
