import type { WorkClaims } from "../../app/work/ports.ts";
import { claimStore, type ClaimStoreParts } from "./claim-store.ts";

interface Parts extends ClaimStoreParts {
  /** Whether a work session still holds its bead. */
  isOpen: (session: string) => boolean;
}

/** The claims that name a work session. */
export function workClaims({ isOpen, ...parts }: Parts): WorkClaims {
  const { withLock, read, write, remove, all } = claimStore(parts);
  return {
    holder(bead) {
      const { session, before = "open" } = read(bead) ?? {};
      return session !== undefined && isOpen(session) ? { session, before } : undefined;
    },
    held: () =>
      new Map(
        all().flatMap(({ bead, session }): [string, string][] =>
          session !== undefined && isOpen(session) ? [[bead, session]] : [],
        ),
      ),
    claim: (bead, { refuse, start, statusNow, take }) =>
      withLock(async () => {
        const { session: earlier, before: earlierStatus } = read(bead) ?? {};
        const holder = earlier !== undefined && isOpen(earlier) ? earlier : undefined;
        await refuse(holder);
        const session = await start(holder);
        const status = statusNow();
        // What a person made of the bead while the session was paused counts, but for what the session itself made of it.
        const before = holder !== undefined && status === "in_progress" ? (earlierStatus ?? "open") : status;
        write(bead, { run: null, session, before });
        await take((mark) => write(bead, { run: null, session, before, taken: mark }));
        return { session, before };
      }),
    release: (bead, session) =>
      withLock(() => {
        if (read(bead)?.session === session) remove(bead);
      }),
    releaseAll: (session) =>
      withLock(() => {
        const beads = all().flatMap((claim) => (claim.session === session ? [claim.bead] : []));
        for (const bead of beads) remove(bead);
        return beads;
      }),
    abandoned: () =>
      all().flatMap(({ bead, session }) => (session !== undefined && !isOpen(session) ? [{ bead, session }] : [])),
  };
}
