import { join } from "node:path";
import * as z from "zod/mini";
import type { Claim, Claims } from "../../app/run/ports.ts";
import type { Disk } from "../files/disk.ts";
import type { Locks } from "../files/lock.ts";
import { readJson } from "../files/read-json.ts";
import { systemProcesses } from "../shell/processes.ts";
import { claimPaths } from "../layout.ts";

/**
 * `run` is null while a run is being made; a crash may leave it so. `taken` is set when the bead was also claimed in a
 * database, and says how that claim left it; it is empty during that claim. `pid`, `started` and `boot` only name the last
 * driver of the run; the first version did not write them.
 */
const claimFile = z.object({
  bead: z.string(),
  run: z.nullable(z.string()),
  taken: z.optional(z.string()),
  pid: z._default(z.int(), 0),
  started: z._default(z.string(), ""),
  boot: z._default(z.string(), ""),
});
type ClaimFile = z.infer<typeof claimFile>;

/** Identifies a process among all that ever had its pid. */
export type ProcessName = Pick<ClaimFile, "pid" | "started" | "boot">;

/** Whether a process is alive in this run of the machine. */
export function isAliveIn(boot: string): (process: ProcessName) => boolean {
  return (process) => process.boot === boot && systemProcesses().get(process.pid)?.started === process.started;
}

export function thisProcess(boot: string): ProcessName {
  return { pid: process.pid, started: systemProcesses().get(process.pid)?.started ?? "", boot };
}

interface Parts {
  disk: Disk;
  folder: string;
  locks: () => Promise<Locks>;
  self: () => ProcessName;
  isAlive: (process: ProcessName) => boolean;
}

/** One synced file for each bead that a run works on. */
export function claimFiles({ disk, folder, locks, self, isAlive }: Parts): Claims {
  const path = (bead: string): string => claimPaths(folder, bead)[0];
  const legacyPath = (bead: string): string | undefined => claimPaths(folder, bead)[1];
  const withLock = async <T>(work: () => T | Promise<T>): Promise<T> => (await locks()).with("claims", work);
  // An unreadable claim counts as none: the runs themselves say which bead they work on.
  const readFile = (file: string): ClaimFile | undefined => readJson(disk, file, (value) => claimFile.parse(value));
  const claimIn = (file: string | undefined, bead: string): ClaimFile | undefined => {
    const claim = file === undefined ? undefined : readFile(file);
    return claim?.bead === bead ? claim : undefined;
  };
  const read = (bead: string): ClaimFile | undefined => claimIn(path(bead), bead) ?? claimIn(legacyPath(bead), bead);
  const removeLegacy = (bead: string): void => {
    const file = legacyPath(bead);
    if (file !== undefined && claimIn(file, bead)) disk.remove(file);
  };
  const remove = (bead: string): void => {
    removeLegacy(bead);
    disk.remove(path(bead));
  };
  const write = (bead: string, run: string | null, taken?: string): void => {
    disk.makeFolder(folder);
    disk.replace(path(bead), Buffer.from(`${JSON.stringify({ bead, run, taken, ...self() })}\n`), 0o600);
    removeLegacy(bead);
  };
  /** False when the database does not answer: the claim then stays, and `clew doctor` finds it. */
  const isGivenBack = async (bead: string, giveBack: (mark: string) => Promise<boolean>): Promise<boolean> => {
    const taken = read(bead)?.taken;
    return taken === undefined || giveBack(taken).catch(() => false);
  };
  const toClaim = (file: ClaimFile): Claim => {
    const { bead, run, pid, started } = file;
    return { bead, run, isDriven: isAlive(file), driver: { pid, started } };
  };
  return {
    claim: (bead, { isOpen, find, settle, check, start, giveBack }) =>
      withLock(async () => {
        const previous = read(bead);
        const claimedRun = previous?.run;
        const holder = claimedRun ?? find(disk.stamp(path(bead)) !== undefined);
        if (holder !== undefined && isOpen(holder)) {
          if (claimedRun !== holder) write(bead, holder);
          return { runId: holder, isNew: false };
        }
        if (claimedRun != null) await settle(claimedRun);
        const isSettled = claimedRun != null || previous?.taken === undefined || (await giveBack(previous.taken));
        // The old claim has no run any more, also when no other run can begin.
        if (isSettled) remove(bead);
        await check?.();
        write(bead, null, isSettled ? undefined : previous.taken);
        try {
          const runId = await start((mark) => write(bead, null, mark));
          write(bead, runId);
          return { runId, isNew: true };
        } catch (error) {
          if (find(true) === undefined && (await isGivenBack(bead, giveBack))) remove(bead);
          throw error;
        }
      }),
    drive: (bead, run) =>
      withLock(() => {
        const claim = read(bead);
        const { pid, started } = self();
        if (claim?.run === run && (claim.pid !== pid || claim.started !== started)) write(bead, run);
      }),
    release: (bead, run) =>
      withLock(() => {
        if (read(bead)?.run === run) remove(bead);
      }),
    holder: (bead) => read(bead)?.run ?? undefined,
    all: () =>
      disk
        .list(folder)
        .flatMap((name) => (name.endsWith(".json") ? (readFile(join(folder, name)) ?? []) : []))
        .map(toClaim),
    mend: (bead, { find, giveBack }) =>
      withLock(async () => {
        const runId = find();
        const taken = read(bead)?.taken;
        if (runId !== undefined) write(bead, runId);
        else if (taken === undefined || (await giveBack(taken))) remove(bead);
        return runId;
      }),
  };
}
