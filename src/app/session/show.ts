import type { SessionDetails } from "../../contract/api/session-document.ts";
import { ClewError } from "../../contract/errors.ts";
import type { SessionDocument } from "../../contract/session.ts";
import { toDocument } from "../../session/document.ts";
import { parseItems } from "../../session/parse.ts";
import { withResults } from "../../session/results.ts";
import { derivedChanges } from "../../session/row.ts";
import { isSessionId } from "../../session/session-id.ts";
import { tallyOf } from "../../session/tally.ts";
import { unreadableCodes } from "./indexed-session.ts";
import type { SessionParts } from "./parts.ts";
import type { RecordText } from "./ports.ts";

/** How deep embedded sessions are shown inside each other. */
const embedDepth = 3;

export type ShowParts = Pick<SessionParts, "records" | "projections" | "breadcrumbs">;

/**
 * The session as its file says; a person's edits are noticed here and taken over into the index. With `full`, calls have
 * their whole results.
 */
export async function showSession(parts: ShowParts, id: string, full = false): Promise<SessionDocument> {
  const record = await readRecord(parts, id);
  const items = parseItems(record.text.slice(record.bodyStart));
  const tally = tallyOf(items);
  await parts.projections.noticed(record, tally);
  // The file counts at save points; a reader between two of them sees the counters of now.
  const frontmatter = { ...record.frontmatter, ...derivedChanges(record.frontmatter, tally) };
  return toDocument(frontmatter, full ? withResults(items, parts.records.results(id)) : items);
}

/** The document with what its agents left of their progress. */
export async function withBreadcrumbs(
  { breadcrumbs: files }: Pick<SessionParts, "breadcrumbs">,
  id: string,
  document: SessionDocument,
): Promise<SessionDocument> {
  const { breadcrumbs } = await files.list(id);
  return breadcrumbs.length === 0 ? document : { ...document, breadcrumbs };
}

async function readRecord(parts: ShowParts, id: string): Promise<RecordText> {
  try {
    return await parts.records.read(id);
  } catch (error) {
    if (error instanceof ClewError && unreadableCodes.has(error.code)) await parts.projections.reread([id]);
    throw error;
  }
}

export async function showWithEmbeds(
  parts: ShowParts,
  id: string,
  full = false,
  above: string[] = [],
): Promise<SessionDetails> {
  const document = await withBreadcrumbs(parts, id, await showSession(parts, id, full));
  const embeds: SessionDetails["embeds"] = {};
  for (const childId of embeddedIds(document))
    embeds[childId] = await showEmbedded(parts, childId, full, [...above, id]);
  return { document, path: parts.records.path(id), embeds };
}

async function showEmbedded(
  parts: ShowParts,
  id: string,
  full: boolean,
  above: string[],
): Promise<SessionDetails | { problem: string }> {
  if (above.includes(id)) return { problem: `${id} embeds itself` };
  if (above.length > embedDepth) return { problem: `not shown: more than ${embedDepth} sessions inside each other` };
  if (!isSessionId(id) || !parts.records.exists(id)) return { problem: `there is no session ${id}` };
  try {
    return await showWithEmbeds(parts, id, full, above);
  } catch (error) {
    if (error instanceof ClewError) return { problem: error.message };
    throw error;
  }
}

function embeddedIds({ phases }: SessionDocument): string[] {
  const ids = phases.flatMap(({ entries }) =>
    entries.flatMap((entry) => (entry.kind === "subagent" && entry.mode === "embed" ? [entry.session ?? ""] : [])),
  );
  return [...new Set(ids.filter((id) => id !== ""))];
}
