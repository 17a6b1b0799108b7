import type { Redact } from "../../contract/redacted.ts";
import { compareIds } from "../../session/index/entry.ts";
import { isSessionId } from "../../session/session-id.ts";
import type { Progress } from "../search/projection.ts";
import { dropCommittedCopy, lostSessions, type AwayParts } from "./away-sessions.ts";
import { readForIndex } from "./indexed-session.ts";
import type { SessionIndex } from "./ports.ts";
import type { ProjectionPlace } from "./projection-place.ts";

interface Parts extends AwayParts {
  index: SessionIndex;
  place: ProjectionPlace;
  redact: () => Promise<Redact>;
  progress: Progress;
}

/** How many committed copies are looked for at once: each takes a call of git. */
const fewSessions = 20;

/** Makes the whole index from the files. */
export async function rebuildIndex(parts: Parts): Promise<void> {
  const { index, records, place, progress } = parts;
  const first: string[] = [];
  const active: string[] = [];
  const present = records.ids();
  const ids = [...present, ...(await lostSessions(parts, new Set(present)))]
    .filter((id) => !isSessionId(id) || records.exists(id))
    .sort(compareIds);
  const rebuild = index.rebuild(ids);
  for (const [done, id] of ids.entries()) {
    progress("reading sessions", done, ids.length);
    const session = await readForIndex(records, id, await parts.redact());
    if (session === undefined) continue;
    rebuild.add(session);
    if ("reason" in session) continue;
    if (first.length < fewSessions) first.push(id);
    if (session.row.status === "active") active.push(id);
  }
  await place.withLock(() => rebuild.write());
  if (!place.isInMemory) for (const id of active) records.markOpen(id);
  for (const id of first) await dropCommittedCopy(parts, id);
}
