import { join } from "node:path";
import * as z from "zod/mini";
import type { Claim, Claims } from "../../app/run-ports.ts";
import type { Disk } from "../files/disk.ts";
import type { Locks } from "../files/lock.ts";
import { beadFileName } from "./bead-file-name.ts";

/**
 * `run` is null while one is being made: a crash may leave it so. `taken` is there when the bead was claimed in a database for
 * that, and tells how the claim left it; empty while it is being claimed. The process only tells who drove the run last.
 */
const claimFile = z.object({
  bead: z.string(),
  run: z.nullable(z.string()),
  taken: z.optional(z.string()),
  pid: z.int(),
  started: z.string(),
  boot: z.string(),
});
type ClaimFile = z.infer<typeof claimFile>;

/** A process, told apart from all others that ever had its number. */
export type ProcessName = Pick<ClaimFile, "pid" | "started" | "boot">;

interface Parts {
  disk: Disk;
  folder: string;
  locks: () => Promise<Locks>;
  self: () => ProcessName;
  isAlive: (process: ProcessName) => boolean;
}

/** One synced file for each bead that a run works on. */
export function claimFiles({ disk, folder, locks, self, isAlive }: Parts): Claims {
  const path = (bead: string): string => join(folder, `${beadFileName(bead)}.json`);
  const exclusively = async <T>(work: () => T | Promise<T>): Promise<T> => (await locks()).with("claims", work);
  const write = (bead: string, run: string | null, taken?: string): void => {
    disk.makeFolder(folder);
    disk.replace(path(bead), Buffer.from(`${JSON.stringify({ bead, run, taken, ...self() })}\n`), 0o600);
  };
  const readFile = (file: string): ClaimFile | undefined => {
    try {
      return claimFile.parse(JSON.parse(disk.read(file)?.toString("utf8") ?? ""));
    } catch {
      // Whatever a crash or a person made of it: the runs themselves know who works on what.
      return undefined;
    }
  };
  const read = (bead: string): ClaimFile | undefined => {
    const claim = readFile(path(bead));
    return claim?.bead === bead ? claim : undefined;
  };
  /** What cannot be given back now stays noted: the doctor finds it. */
  const isLetGo = async (bead: string, giveBack: (mark: string) => Promise<boolean>): Promise<boolean> => {
    const taken = read(bead)?.taken;
    return taken === undefined || giveBack(taken).catch(() => false);
  };
  const shown = (file: ClaimFile): Claim => {
    const { bead, run, pid, started } = file;
    return { bead, run, isDriven: isAlive(file), driver: { pid, started } };
  };
  return {
    claim: (bead, { isOpen, find, settle, check, start, giveBack }) =>
      exclusively(async () => {
        const before = read(bead);
        const claimed = before?.run;
        const holder = claimed ?? find(disk.stamp(path(bead)) !== undefined);
        if (holder !== undefined && isOpen(holder)) {
          if (claimed !== holder) write(bead, holder);
          return { runId: holder, isNew: false };
        }
        if (claimed != null) await settle(claimed);
        const isSettled = claimed != null || before?.taken === undefined || (await giveBack(before.taken));
        // What stands there is nobody's any more, also when no other run can begin.
        if (isSettled) disk.remove(path(bead));
        await check?.();
        write(bead, null, isSettled ? undefined : before.taken);
        try {
          const runId = await start((mark) => write(bead, null, mark));
          write(bead, runId);
          return { runId, isNew: true };
        } catch (error) {
          if (find(true) === undefined && (await isLetGo(bead, giveBack))) disk.remove(path(bead));
          throw error;
        }
      }),
    drive: (bead, run) =>
      exclusively(() => {
        const claim = read(bead);
        const { pid, started } = self();
        if (claim?.run === run && (claim.pid !== pid || claim.started !== started)) write(bead, run);
      }),
    release: (bead, run) =>
      exclusively(() => {
        if (read(bead)?.run === run) disk.remove(path(bead));
      }),
    holder: (bead) => read(bead)?.run ?? undefined,
    all: () =>
      disk
        .list(folder)
        .flatMap((name) => (name.endsWith(".json") ? (readFile(join(folder, name)) ?? []) : []))
        .map(shown),
    mend: (bead, { find, giveBack }) =>
      exclusively(async () => {
        const found = find();
        const taken = read(bead)?.taken;
        if (found !== undefined) write(bead, found);
        else if (taken === undefined || (await giveBack(taken))) disk.remove(path(bead));
        return found;
      }),
  };
}
