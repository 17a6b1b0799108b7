import type { TalkStates } from "../../app/agent/talk-state.ts";
import { talkState } from "../../contract/live-agent.ts";
import { workStatePath } from "../layout/run-paths.ts";
import type { Disk } from "./disk.ts";
import { readJson } from "./read-json.ts";

/** The states of live talks, one synced file each, for the user alone. */
export function talkStateFiles(disk: Disk, folder: string): TalkStates {
  const pathOf = (session: string): string => workStatePath(folder, session);
  return {
    read: (session) => readJson(disk, pathOf(session), (value) => talkState.parse(value)),
    write(session, state) {
      disk.makeFolder(folder);
      disk.replace(pathOf(session), Buffer.from(`${JSON.stringify(state)}\n`), 0o600);
    },
    remove: (session) => disk.remove(pathOf(session)),
  };
}
