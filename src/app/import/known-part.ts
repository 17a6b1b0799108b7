import { ClewError } from "../../contract/errors.ts";
import type { Frontmatter } from "../../contract/session.ts";
import type { TakenPart } from "../../session/engine-sessions.ts";
import type { Period, SkippedFile, TranscriptFile, Transcripts } from "./ports.ts";

/** What of a transcript its session has: what was taken in, and what Clew wrote down itself while it drove that engine session. */
export interface KnownPart {
  /** Up to here it was taken in. */
  position: number;
  /** The transcript was rewritten: in the place of the position, all up to this time is known. */
  rewrittenAfter?: string;
  recorded: readonly Period[];
}

export const nothingKnown: KnownPart = { position: 0, recorded: [] };

/**
 * The part of a transcript that its session has. A transcript that was rewritten is compared by its times: an engine that took
 * lines back writes the others later.
 */
export function importedPart(
  transcripts: Transcripts,
  file: TranscriptFile,
  { position, mark, until }: TakenPart,
  { session_id, ended }: Pick<Frontmatter, "session_id" | "ended">,
): Omit<KnownPart, "recorded"> {
  if (position === 0) return { position };
  const found = transcripts.mark(file, position);
  if (found !== undefined && (mark === undefined || mark === found)) return { position };
  const rewrittenAfter = until ?? ended;
  if (rewrittenAfter !== undefined) return { position, rewrittenAfter };
  const message = `is shorter than what session ${session_id} has of it, which has not ended: clew session end ${session_id}, then import again`;
  throw new ClewError("invalid_input", message, `clew session end ${session_id}`);
}

/** What a person is told of a transcript that was rewritten; undefined for any other. */
export function rewrittenInWords(
  { path }: TranscriptFile,
  id: string,
  { rewrittenAfter }: KnownPart,
): SkippedFile | undefined {
  if (rewrittenAfter === undefined) return undefined;
  const reason = `was rewritten after it was imported: what is newer than ${rewrittenAfter} goes into session ${id}, and what the engine took back stays there`;
  return { path, reason };
}
