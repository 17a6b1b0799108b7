import type { Claim, Claims } from "../../app/run/ports.ts";
import type { ProcessName } from "../shell/process-name.ts";
import { claimStore, type ClaimFile, type ClaimStoreParts } from "./claim-store.ts";

interface Parts extends ClaimStoreParts {
  isAlive: (process: ProcessName) => boolean;
  /** Throws when a work session holds the bead that is not over. */
  refuseWork: (bead: string, session: string) => void;
}

/** One synced file for each bead that a run works on. */
export function claimFiles({ isAlive, refuseWork, ...parts }: Parts): Claims {
  const { withLock, read, write, remove, exists, all } = claimStore(parts);
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
        if (previous?.session !== undefined) refuseWork(bead, previous.session);
        const claimedRun = previous?.run;
        const holder = claimedRun ?? find(exists(bead));
        if (holder !== undefined && isOpen(holder)) {
          if (claimedRun !== holder) write(bead, { run: holder });
          return { runId: holder, isNew: false };
        }
        if (claimedRun != null) await settle(claimedRun);
        const isSettled = claimedRun != null || previous?.taken === undefined || (await giveBack(previous.taken));
        // The old claim has no run any more, also when no other run can begin.
        if (isSettled) remove(bead);
        await check?.();
        write(bead, { run: null, taken: isSettled ? undefined : previous.taken });
        try {
          const runId = await start((mark) => write(bead, { run: null, taken: mark }));
          write(bead, { run: runId });
          return { runId, isNew: true };
        } catch (error) {
          if (find(true) === undefined && (await isGivenBack(bead, giveBack))) remove(bead);
          throw error;
        }
      }),
    drive: (bead, run) =>
      withLock(() => {
        const claim = read(bead);
        const { pid, started } = parts.self();
        if (claim?.run === run && (claim.pid !== pid || claim.started !== started)) write(bead, { run });
      }),
    release: (bead, run) =>
      withLock(() => {
        if (read(bead)?.run === run) remove(bead);
      }),
    holder: (bead) => read(bead)?.run ?? undefined,
    all: () =>
      all()
        .filter(({ session }) => session === undefined)
        .map(toClaim),
    mend: (bead, { find, giveBack }) =>
      withLock(async () => {
        const runId = find();
        const taken = read(bead)?.taken;
        if (runId !== undefined) write(bead, { run: runId });
        else if (taken === undefined || (await giveBack(taken))) remove(bead);
        return runId;
      }),
  };
}
