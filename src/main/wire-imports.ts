import { loadPriceTable } from "../adapters/engines/price-table.ts";
import { bulkRecords } from "../adapters/files/bulk-records.ts";
import { committedSessions } from "../adapters/git/committed-sessions.ts";
import { hiddenSessions } from "../adapters/git/hidden-sessions.ts";
import { bootName, sleep, systemClock } from "../adapters/system/system.ts";
import { ImportMemoryFile } from "../adapters/transcripts/import-memory.ts";
import { engineTranscripts } from "../adapters/transcripts/transcripts.ts";
import { importsApi } from "../app/import/api.ts";
import type { ImportParts } from "../app/import/parts.ts";
import { importableSessions } from "../app/import/count-importable.ts";
import type { Progress } from "../app/search/projection.ts";
import type { SessionParts } from "../app/session/parts.ts";
import type { Api } from "../contract/api/api.ts";
import type { Ground } from "./wire-ground.ts";

interface ImportWiring {
  sessions: SessionParts;
  find: (name: string) => Promise<string>;
  progress: Progress;
  /** Between two looks while it follows. */
  lookEveryMs?: number;
}

/** What `clew init` tells of. */
export function countImportable({ repository, env, disk, layout }: Ground): ReturnType<typeof importableSessions> {
  const transcripts = engineTranscripts(repository, env, () => systemClock.now());
  return importableSessions(transcripts, new ImportMemoryFile(disk, layout));
}

/** Puts together what imports transcripts. */
export function openImports(
  ground: Ground,
  { sessions, find, progress, lookEveryMs = 1000 }: ImportWiring,
): Api["imports"] {
  const { locks } = ground;
  // An import holds the lock that taking in asks for.
  const { takeInHooks, ...ownSessions } = sessions;
  const api = importsApi({
    ...importParts(ground, ownSessions),
    progress,
    withLock: async (work) => (await locks()).with("imports", work),
    find,
    sleep,
    lookEveryMs,
  });
  // What hooks told becomes a talk, and no import.
  return {
    ...api,
    async run(request) {
      if (!request.dry_run) await takeInHooks?.();
      return api.run(request);
    },
    async follow(request, options) {
      await takeInHooks?.();
      return api.follow(request, options);
    },
  };
}

/** What makes sessions of transcripts needs. */
export function importParts(ground: Ground, sessions: SessionParts): Omit<ImportParts, "progress" | "withLock"> {
  const { disk, layout, repository, git, locks, env } = ground;
  const committed = committedSessions(disk, layout, repository, git);
  return {
    sessions,
    transcripts: engineTranscripts(repository, env, () => systemClock.now()),
    bulk: bulkRecords({
      disk,
      layout,
      locks,
      clock: systemClock,
      boot: bootName(),
      readBlob: (blob) => git.readBlob(blob),
      isElsewhere: (id) => committed.isElsewhere(id),
      redact: sessions.redact,
      ...hiddenSessions(disk, layout, repository.commonDir),
    }),
    memory: () => new ImportMemoryFile(disk, layout),
    prices: loadPriceTable,
    redactEncoded: async () => (await ground.redactor()).redactEncoded,
  };
}
