import type { ImportsApi } from "../../contract/api/import.ts";
import type { Changes } from "./process-ports.ts";

/** What a daemon does beside serving and driving runs. */
export interface UpkeepParts {
  /** Changes of what is open among sessions. */
  sessionChanges: () => Changes;
  /** Takes in what was written, and pauses sessions that are idle. */
  refreshIndex: () => Promise<void>;
  /** After this time without a change, a session may have become idle. Undefined when none ever does. */
  idleAfterMs: number | undefined;
  /** Whether transcripts were ever imported here. */
  hasImported: () => boolean;
  imports: () => Promise<Pick<ImportsApi, "follow">>;
  /** Removes what is kept of runs that ended long ago; their journals stay. */
  removeOldRuns: () => void;
  /** Removes answers that were kept for requests that may be repeated, and are no more. */
  removeOldAnswers: () => Promise<void>;
  sleep: (ms: number, signal: AbortSignal) => Promise<void>;
}

interface Telling {
  signal: AbortSignal;
  note: (type: string, facts: object) => void;
  /** What a person should know. */
  trouble: (what: string, error: unknown) => void;
}

/** Between two looks at what was written. */
const restMs = 3_000;
/** Until something that failed, or was not there, is tried again. */
const retryMs = 60_000;
const removeEveryMs = 6 * 3_600_000;

/** Goes on until the signal. Nothing that fails here ends the daemon: it is told, and tried again. */
export async function keepUp(parts: UpkeepParts, telling: Telling): Promise<void> {
  await Promise.all([keepIndex(parts, telling), followImports(parts, telling), removeOld(parts, telling)]);
}

/** The index takes in what any process wrote, so that the next list finds it done. Waits while nothing changes. */
async function keepIndex(
  { sessionChanges, refreshIndex, idleAfterMs, sleep }: UpkeepParts,
  telling: Telling,
): Promise<void> {
  const { signal } = telling;
  const changes = sessionChanges();
  try {
    while (!signal.aborted) {
      await tried("the index cannot follow", telling, refreshIndex);
      await sleep(restMs, signal);
      await changes.next(signal, idleAfterMs);
    }
  } finally {
    changes.close();
  }
}

async function followImports({ hasImported, imports, sleep }: UpkeepParts, telling: Telling): Promise<void> {
  const { signal, note } = telling;
  while (!signal.aborted) {
    await tried("transcripts cannot be imported", telling, async () => {
      if (!hasImported()) return;
      for await (const { imported, continued, sessions } of await (await imports()).follow({}, { signal })) {
        if (sessions.length > 0) note("imports.imported", { imported, continued, sessions });
      }
    });
    await sleep(retryMs, signal);
  }
}

async function removeOld(parts: UpkeepParts, telling: Telling): Promise<void> {
  while (!telling.signal.aborted) {
    await tried("old states of runs cannot be removed", telling, async () => parts.removeOldRuns());
    await tried("old answers cannot be removed", telling, parts.removeOldAnswers);
    await parts.sleep(removeEveryMs, telling.signal);
  }
}

async function tried(what: string, { trouble }: Telling, work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    trouble(what, error);
  }
}
