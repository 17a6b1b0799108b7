import type { SessionDetails } from "../../contract/api/session.ts";
import { ClewError } from "../../contract/errors.ts";
import type { SessionDocument } from "../../contract/session.ts";
import { toDocument } from "../../session/document.ts";
import { parseItems } from "../../session/parse.ts";
import { withResults } from "../../session/results.ts";
import { derivedChanges } from "../../session/row.ts";
import { isSessionId } from "../../session/session-id.ts";
import { tallyOf } from "../../session/tally.ts";
import type { RecordText, SessionRecords } from "./ports.ts";
import { unreadableCodes } from "./indexed-session.ts";
import type { Projections } from "./projections.ts";

/** How deep embedded sessions are shown inside each other. */
const embedDepth = 3;

export class Show {
  readonly #records: SessionRecords;
  readonly #projections: Projections;

  constructor(records: SessionRecords, projections: Projections) {
    this.#records = records;
    this.#projections = projections;
  }

  /**
   * The session as its file says; a person's edits are noticed here and taken over into the index. With `full`, calls have
   * their whole results.
   */
  async document(id: string, full = false): Promise<SessionDocument> {
    const record = await this.#read(id);
    const items = parseItems(record.text.slice(record.bodyStart));
    const tally = tallyOf(items);
    await this.#projections.noticed(record, tally);
    // Counters are folded in at save points; who looks between two of them sees them all the same.
    const frontmatter = { ...record.frontmatter, ...derivedChanges(record.frontmatter, tally) };
    return toDocument(frontmatter, full ? withResults(items, this.#records.results(id)) : items);
  }

  async #read(id: string): Promise<RecordText> {
    try {
      return await this.#records.read(id);
    } catch (error) {
      if (error instanceof ClewError && unreadableCodes.has(error.code)) await this.#projections.reread([id]);
      throw error;
    }
  }

  async withEmbeds(id: string, full = false, above: string[] = []): Promise<SessionDetails> {
    const document = await this.document(id, full);
    const embeds: SessionDetails["embeds"] = {};
    for (const childId of embeddedIds(document)) embeds[childId] = await this.#embed(childId, full, [...above, id]);
    return { document, path: this.#records.path(id), embeds };
  }

  async #embed(id: string, full: boolean, above: string[]): Promise<SessionDetails | { problem: string }> {
    if (above.includes(id)) return { problem: `${id} embeds itself` };
    if (above.length > embedDepth) return { problem: `not shown: more than ${embedDepth} sessions inside each other` };
    if (!isSessionId(id) || !this.#records.exists(id)) return { problem: `there is no session ${id}` };
    try {
      return await this.withEmbeds(id, full, above);
    } catch (error) {
      if (error instanceof ClewError) return { problem: error.message };
      throw error;
    }
  }
}

function embeddedIds({ phases }: SessionDocument): string[] {
  const ids = phases.flatMap(({ entries }) =>
    entries.flatMap((entry) => (entry.kind === "subagent" && entry.mode === "embed" ? [entry.session ?? ""] : [])),
  );
  return [...new Set(ids.filter((id) => id !== ""))];
}
