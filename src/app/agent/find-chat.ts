import { ClewError } from "../../contract/errors.ts";
import { bringIndexUpToDate } from "../session/list.ts";
import type { SessionParts } from "../session/parts.ts";
import { resumableSessionsIn, type ResumableSession } from "../../session/engine-sessions.ts";

interface Parts {
  sessions: SessionParts;
  /** The session that a person names; throws a ClewError when there is none. */
  find: (name: string) => Promise<string>;
  isOwnFolder: (folder: string) => boolean;
  /** Mends what a process that led the talk left when it died. Throws while another leads it. */
  mend: (sessionId: string) => Promise<void>;
}

type ReadParts = Omit<Parts, "find" | "mend">;

export interface FoundChat extends ResumableSession {
  sessionId: string;
}

/** The newest sessions of an engine that are looked through for an engine's own id. */
const maxSearched = 1000;

/**
 * The chat that a person goes on with, named by Clew's id or by the engine's own, and the last session of that engine in it.
 * Throws a ClewError when there is none.
 */
export async function findChat(parts: Parts, engine: string, name: string): Promise<FoundChat> {
  const isOurs = name === "latest" || parts.sessions.records.exists(name);
  const byEngine = isOurs ? undefined : await findByEngineSession(parts, engine, name);
  if (byEngine) return byEngine;
  const sessionId = await parts.find(name);
  await refuseOwned(parts, sessionId);
  const last = (): Promise<ResumableSession | undefined> => lastEngineSession(parts, sessionId, engine);
  let found = await last();
  if (!found) {
    // It may have died before the record had it: the transcript tells.
    await parts.mend(sessionId);
    found = await last();
  }
  if (found) return { ...found, sessionId };
  throw new ClewError(
    "unknown_session",
    `${sessionId} has no session of ${engine} that could be resumed`,
    `clew session resume ${sessionId} --print-context prints what another engine needs to go on`,
  );
}

/** Runs and work sessions go on by their own commands, which keep their beads. */
async function refuseOwned({ sessions }: ReadParts, id: string): Promise<void> {
  const { kind, bead, status, parent } = (await sessions.records.read(id)).frontmatter;
  const isOwner = kind === "run" || (kind === "work" && parent === undefined);
  if (!isOwner || bead === undefined || status === "completed") return;
  const command = kind === "run" ? `clew run ${bead}` : `clew session resume ${id}`;
  throw new ClewError("not_possible_now", `${id} is the session of work on ${bead}`, `${command} goes on with it`);
}

/** The last session of that engine which goes on with a session of ours, and can do so here. */
export async function lastEngineSession(
  parts: ReadParts,
  sessionId: string,
  engine: string,
): Promise<ResumableSession | undefined> {
  return (await engineSessions(parts, sessionId)).findLast((each) => each.engine === engine);
}

/** The engine that worked last in a session. */
export async function lastEngine(parts: ReadParts, sessionId: string): Promise<string | undefined> {
  return (await engineSessions(parts, sessionId)).at(-1)?.engine;
}

async function findByEngineSession(parts: Parts, engine: string, name: string): Promise<FoundChat | undefined> {
  await bringIndexUpToDate(parts.sessions);
  const rows = await parts.sessions.projections.ask((index) => index.newest({ archived: true }, Infinity));
  const candidates = rows.filter(({ engines }) => engines.includes(engine)).slice(0, maxSearched);
  for (const { session_id: sessionId } of candidates) {
    const found = (await engineSessions(parts, sessionId)).find(
      (each) => each.engine === engine && each.session === name,
    );
    if (!found) continue;
    await refuseOwned(parts, sessionId);
    return { ...found, sessionId };
  }
  return undefined;
}

/** Those that can go on here. */
async function engineSessions({ sessions, isOwnFolder }: ReadParts, id: string): Promise<ResumableSession[]> {
  try {
    const { frontmatter } = await sessions.records.read(id);
    return resumableSessionsIn(frontmatter).filter(({ folder }) => isOwnFolder(folder));
  } catch (error) {
    if (error instanceof ClewError) return [];
    throw error;
  }
}
