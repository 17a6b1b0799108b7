import { ClewError, type ErrorCode } from "../../contract/errors.ts";
import type { UnreadableSession } from "../../contract/session-row.ts";
import { Damaged } from "../../session/frontmatter/frontmatter.ts";
import { parseItems } from "../../session/parse.ts";
import { isSessionId } from "../../session/session-id.ts";
import { assumeRedacted, type Redact, type Redacted } from "../../contract/redacted.ts";
import type { SavedRecord, IndexedSession, RecordText, SessionRecords } from "./ports.ts";
import { derivedChanges, toInbox, toRow } from "../../session/row.ts";
import { tallyOf, type Tally } from "../../session/tally.ts";
import { redactRecord } from "../../redact/redact-record.ts";

/** Errors that lie in the files of one session; the others can be read all the same. */
export const unreadableCodes: ReadonlySet<ErrorCode> = new Set<ErrorCode>([
  "damaged_session",
  "no_permission",
  "unreadable_file",
  "leads_outside",
]);

/** What the files say of one session; undefined when there is none. A folder without session.md is no session. */
export async function readForIndex(
  records: SessionRecords,
  id: string,
  redact: Redact,
): Promise<Redacted<IndexedSession> | UnreadableSession | undefined> {
  if (!isSessionId(id)) {
    return { session_id: id, path: records.path(id), reason: "the folder's name is no session id: [a-z0-9-]" };
  }
  if (!records.exists(id)) return undefined;
  try {
    const record = await records.read(id);
    return ofRecord(record, tallyOf(parseItems(record.text.slice(record.bodyStart))), redact);
  } catch (error) {
    if (!(error instanceof ClewError)) throw error;
    if (error.code === "unknown_session") return undefined;
    if (!unreadableCodes.has(error.code)) throw error;
    const reason = error.cause instanceof Damaged ? error.cause.message : error.message;
    return { session_id: id, path: records.path(id), reason };
  }
}

/** As a save point would leave it, also when the file was committed between two of them. */
export function ofRecord(record: RecordText, tally: Tally, redact: Redact): Redacted<IndexedSession> {
  const frontmatter = { ...record.frontmatter, ...derivedChanges(record.frontmatter, tally) };
  return toIndexedSession({ frontmatter, tally, check: record.check }, redact);
}

/** What the index learns of a session: titles, names and questions as they may be shown. */
export function toIndexedSession(
  { frontmatter, tally, check }: Pick<SavedRecord, "frontmatter" | "tally" | "check">,
  redact: Redact,
): Redacted<IndexedSession> {
  const row = toRow(frontmatter, tally, check);
  const inbox = toInbox(frontmatter.session_id, tally).map((item) => ({
    ...item,
    text: redact(item.text),
    phase: redact(item.phase),
  }));
  const { channel, channels, participants, model, used, parent, bead, branch } = row;
  const named = { channel, channels, participants, model, used, parent, bead, branch };
  const names = redactRecord(named, redact);
  // What else is in them: ids, times and counts.
  return assumeRedacted({ row: { ...row, ...names, title: redact(row.title) }, inbox });
}
