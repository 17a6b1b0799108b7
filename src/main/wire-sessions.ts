import { sessionRecords } from "../adapters/files/session-records.ts";
import { committedSessions } from "../adapters/git/committed-sessions.ts";
import { repositorySetup } from "../adapters/git/repository-setup.ts";
import { gitSurroundings } from "../adapters/git/surroundings.ts";
import { ToonSessionIndex } from "../adapters/index-toon/toon-session-index.ts";
import { paths } from "../adapters/layout.ts";
import { bootName, systemClock } from "../adapters/system/system.ts";
import type { SearchIndex } from "../app/search/ports.ts";
import { SearchProjection, type Progress } from "../app/search/projection.ts";
import type { SessionOwners } from "../app/session/owner.ts";
import type { SessionParts } from "../app/session/parts.ts";
import { Projections } from "../app/session/projections.ts";
import type { Redact } from "../contract/redacted.ts";
import type { Ground } from "./wire-ground.ts";

interface SessionWiring {
  owners: SessionOwners;
  search: (place: "on disk" | "in memory") => Promise<SearchIndex>;
  progress: Progress;
  /** Tells the person what need not stop the command. */
  warn: (message: string) => void;
}

/** Puts together what reads and writes sessions. */
export function openSessions(ground: Ground, { owners, search, progress, warn }: SessionWiring): SessionParts {
  const { disk, layout, repository, git, locks, settings } = ground;
  const redact = async (): Promise<Redact> => (await ground.redactor()).redact;
  const committed = committedSessions(disk, layout, repository, git);
  const clock = systemClock;
  const records = sessionRecords({
    disk,
    layout,
    locks,
    clock,
    readBlob: (blob) => git.readBlob(blob),
    boot: bootName(),
    isElsewhere: (id) => committed.isElsewhere(id),
    redact,
  });
  const surroundings = gitSurroundings({ disk, layout, repository, git, clock, records, committed });
  const projections = new Projections({
    records,
    index: new ToonSessionIndex(paths.index(layout)),
    search: new SearchProjection({ records, search, redact, progress }),
    surroundings,
    withLock: async (work) => (await locks()).with("index", work),
    redact,
    progress,
    warn,
  });
  const ownGround = {
    prepare: () => void repositorySetup(ground).prepare(),
    toAscii: async () => (await import("any-ascii")).default,
  };
  return { records, projections, surroundings, clock, redact, owners, settings, ground: ownGround };
}
