import { ClewError } from "../../contract/errors.ts";
import type { SubagentNews } from "../../contract/session.ts";
import { amendCallout } from "./amend-callout.ts";
import { engineSessionsIn, type EngineSession } from "../../session/engine-sessions.ts";
import type { SessionParts } from "./parts.ts";
import type { RecordWriter, SavedRecord } from "./ports.ts";

type Parts = Pick<SessionParts, "records" | "projections" | "redact">;

export type ChangeRecord = (record: RecordWriter) => Promise<SavedRecord | undefined>;

/**
 * Changes a session's files, then the index and the search, which only ever follow. When `work` counted tokens, the parent
 * session is told. `searchLater` leaves the search to the next reader.
 */
export async function changeSession(parts: Parts, id: string, work: ChangeRecord, searchLater = false): Promise<void> {
  const saved = await parts.records.change(id, work);
  if (!saved) return;
  await parts.projections.follow(id, saved, searchLater);
  const { session_id: session, parent, tokens_used: tokens } = saved.frontmatter;
  if (!saved.hasCounted || parent === undefined || tokens === undefined) return;
  await tellParent(parts, parent, { session, tokens });
}

/** Tells a session what its subagent's session counted, or that it was deleted. A parent that cannot be written is left. */
export async function tellParent(parts: Parts, parent: string, news: SubagentNews): Promise<void> {
  if (!parts.records.exists(parent)) return;
  const { session, tokens } = news;
  try {
    await changeSession(parts, parent, async (record) => {
      const { subagents, openLinks } = record.tally;
      const ref = subagents.findLast((each) => each.session === session);
      if (!ref) return undefined;
      const isAtWork = openLinks.some((each) => each.session === session);
      const isOutdated = tokens !== undefined && ref.tokens !== undefined && ref.tokens !== tokens;
      if (!isAtWork && isOutdated) await amendCallout(record, session, { tokens }, await parts.redact());
      return record.save(news);
    });
  } catch (error) {
    if (!(error instanceof ClewError)) throw error;
  }
}

/** Where a session comes from: whose subagent's it is, and its engine sessions. Nothing of one that cannot be read. */
export async function originOf(
  { records }: Pick<Parts, "records">,
  id: string,
): Promise<{ parent: string | undefined; engineSessions: EngineSession[] }> {
  try {
    const { frontmatter } = await records.read(id);
    return { parent: frontmatter.parent, engineSessions: engineSessionsIn(frontmatter) };
  } catch (error) {
    if (error instanceof ClewError) return { parent: undefined, engineSessions: [] };
    throw error;
  }
}
