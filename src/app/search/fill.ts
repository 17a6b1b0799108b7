import { ClewError } from "../../contract/errors.ts";
import { assumeRedacted, type Redact, type Redacted } from "../../contract/redacted.ts";
import { bodyStart, chunksOf, type ChunkPlace, type SearchChunk } from "../../session/search-chunks.ts";
import type { RecordText, SessionRecords } from "../session/ports.ts";
import { wholeResults } from "./whole-results.ts";
import type { MissingSession, SearchIndex } from "./ports.ts";

export interface FillParts {
  records: SessionRecords;
  search: Pick<SearchIndex, "put" | "begin" | "commit" | "rollBack">;
  redact: Redact;
  /** Told how many more sessions were put, also those that cannot be read. */
  onPut: (more: number) => void;
}

/** Characters that are put in one transaction, which is what a crash may lose. */
const portion = 8 * 1024 * 1024;

/** Puts these sessions into the search as wholes, oldest first. What is on disk when this is cut off stays. */
export async function fillSearch(parts: FillParts, sessions: readonly MissingSession[]): Promise<void> {
  const { search } = parts;
  const oldestFirst = sessions.toSorted((a, b) => (a.started < b.started ? -1 : 1));
  for (let at = 0; at < oldestFirst.length;) {
    search.begin();
    try {
      for (let size = 0; size < portion && at < oldestFirst.length; at++) {
        size += await putWhole(parts, oldestFirst[at]!.session_id);
        parts.onPut(1);
      }
      search.commit();
    } catch (error) {
      search.rollBack();
      throw error;
    }
  }
}

/** Returns how many characters were put. */
async function putWhole({ records, search, redact }: FillParts, id: string): Promise<number> {
  const record = await readIfPossible(records, id);
  if (!record) return 0;
  const { frontmatter, check, text } = record;
  const chunks = searchableChunks(records, { id, text: text.slice(record.bodyStart), place: bodyStart }, redact);
  search.put({ ...frontmatter, check }, 0, chunks);
  return chunks.reduce((sum, chunk) => sum + chunk.text.length, 0);
}

/** One session that cannot be read must not keep the others from being found; it is told of where it is listed. */
async function readIfPossible(records: SessionRecords, id: string): Promise<RecordText | undefined> {
  try {
    return await records.read(id);
  } catch (error) {
    if (!(error instanceof ClewError)) throw error;
    return undefined;
  }
}

/** A person may have typed a secret into a session; it does not go further than that file. */
export function searchableChunks(
  records: SessionRecords,
  { id, text, place }: { id: string; text: string; place: ChunkPlace },
  redact: Redact,
): Redacted<SearchChunk>[] {
  const results = wholeResults(records, id, text);
  // What else is in a chunk: places, and the id of a phase.
  return chunksOf(text, place, results).map((chunk) =>
    assumeRedacted({ ...chunk, title: redact(chunk.title), text: redact(chunk.text) }),
  );
}
