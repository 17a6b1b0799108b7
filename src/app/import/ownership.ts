import type { Redact, Redacted } from "../../contract/redacted.ts";
import type { TakenPart } from "../../session/engine-sessions.ts";
import { sessionId } from "../../session/session-id.ts";
import { isAscii } from "../../session/text.ts";
import { promptTitle } from "../../session/title.ts";
import { foreign, type OwnedSession, type Period, type Transcripts } from "./ports.ts";
import type { TranscriptSource } from "./source.ts";
import { isRecorded } from "./transcript-news.ts";
import { agentOf, ownerKey } from "./write-transcript.ts";

/** A session that has some of a transcript. */
export interface ImportedSession {
  id: string;
  taken: TakenPart;
}

/** The session that a transcript is for: a new one with the wanted id and title, or the one that has its beginning. */
export interface Place {
  wantedId: string;
  title: Redacted<string>;
  continued: ImportedSession | undefined;
}

interface Parts {
  transcripts: Pick<Transcripts, "isOwnFolder">;
  /** By `ownerKey`; null for what was deleted. */
  owned: ReadonlyMap<string, OwnedSession | null>;
  redact: Redact;
  toAscii: () => Promise<(text: string) => string>;
  /** Takes transcripts of all folders. */
  everywhere: boolean;
}

/**
 * Where a transcript goes. For one that goes nowhere, what is remembered of it: null, or that it is of another folder. `recorded` is
 * when Clew drove the agent that it works for.
 */
export async function placeOf(
  { transcripts, owned, redact, toAscii, everywhere }: Parts,
  source: TranscriptSource,
  recorded: readonly Period[],
): Promise<Place | null | typeof foreign> {
  const { prompt, isEmpty } = source.readHead();
  const { cwd, title: named } = source.about;
  const isOwn = cwd !== undefined && transcripts.isOwnFolder(cwd);
  if (!isOwn && !everywhere) return cwd === undefined ? null : foreign;
  const owner = owned.get(ownerKey(source, redact));
  // Deleted, or another session's: that of a run or a talk, or one that goes on by what hooks tell.
  if (owner === null || (owner && !goesOnBy(owner, source))) return null;
  if (!owner && (isEmpty || isRecorded(source.startedAt, recorded))) return null;
  const title = promptTitle(named ?? prompt ?? agentOf(source), redact);
  const asciiTitle = isAscii(title) ? title : (await toAscii())(title);
  const wantedId = sessionId(source.startedAt, asciiTitle);
  return { wantedId, title, continued: owner && { id: owner.id, taken: owner.taken! } };
}

/** Whether a session has some of this very transcript. */
function goesOnBy({ taken }: OwnedSession, { file }: TranscriptSource): boolean {
  return taken !== undefined && taken.source === file.source;
}
