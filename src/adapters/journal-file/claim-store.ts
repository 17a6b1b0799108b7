import { join } from "node:path";
import * as z from "zod/mini";
import type { Disk } from "../files/disk.ts";
import type { Locks } from "../files/lock.ts";
import { readJson } from "../files/read-json.ts";
import { claimPaths } from "../layout/run-paths.ts";
import type { ProcessName } from "../shell/process-name.ts";

/**
 * `run` is null while a run is being made; a crash may leave it so. `session` is set instead when a work session holds the bead,
 * and `before` is the status that the bead had. `taken` is set when the bead was also claimed in a database, and says how that
 * claim left it; it is empty during that claim. `pid`, `started` and `boot` only name the last driver; the first version did not
 * write them.
 */
const claimFile = z.object({
  bead: z.string(),
  run: z.nullable(z.string()),
  session: z.optional(z.string()),
  before: z.optional(z.string()),
  taken: z.optional(z.string()),
  pid: z._default(z.int(), 0),
  started: z._default(z.string(), ""),
  boot: z._default(z.string(), ""),
});
export type ClaimFile = z.infer<typeof claimFile>;

export interface ClaimStoreParts {
  disk: Disk;
  folder: string;
  locks: () => Promise<Locks>;
  self: () => ProcessName;
}

/** One synced file for each bead that is worked on. */
export interface ClaimStore {
  /** One process at a time is in here, for all beads. */
  withLock: <T>(work: () => T | Promise<T>) => Promise<T>;
  read: (bead: string) => ClaimFile | undefined;
  /** With this process as the driver. */
  write: (bead: string, claim: Pick<ClaimFile, "run" | "session" | "before" | "taken">) => void;
  remove: (bead: string) => void;
  /** Whether there is a file, readable or not. */
  exists: (bead: string) => boolean;
  all: () => ClaimFile[];
}

export function claimStore({ disk, folder, locks, self }: ClaimStoreParts): ClaimStore {
  const path = (bead: string): string => claimPaths(folder, bead)[0];
  const legacyPath = (bead: string): string | undefined => claimPaths(folder, bead)[1];
  // An unreadable claim counts as none: the runs themselves say which bead they work on.
  const readFile = (file: string): ClaimFile | undefined => readJson(disk, file, (value) => claimFile.parse(value));
  const claimIn = (file: string | undefined, bead: string): ClaimFile | undefined => {
    const claim = file === undefined ? undefined : readFile(file);
    return claim?.bead === bead ? claim : undefined;
  };
  const removeLegacy = (bead: string): void => {
    const file = legacyPath(bead);
    if (file !== undefined && claimIn(file, bead)) disk.remove(file);
  };
  return {
    withLock: async (work) => (await locks()).with("claims", work),
    read: (bead) => claimIn(path(bead), bead) ?? claimIn(legacyPath(bead), bead),
    write(bead, { run, session, before, taken }) {
      disk.makeFolder(folder);
      const claim = { bead, run, session, before, taken, ...self() };
      disk.replace(path(bead), Buffer.from(`${JSON.stringify(claim)}\n`), 0o600);
      removeLegacy(bead);
    },
    remove(bead) {
      removeLegacy(bead);
      disk.remove(path(bead));
    },
    exists: (bead) => disk.stamp(path(bead)) !== undefined,
    all: () =>
      disk.list(folder).flatMap((name) => (name.endsWith(".json") ? (readFile(join(folder, name)) ?? []) : [])),
  };
}
