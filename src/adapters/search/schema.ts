/** Increased with any change here or in what counts as a word: older files are then made again. */
export const schemaVersion = 2;
/** "clew": distinguishes the file from other SQLite files. */
export const applicationId = 0x636c6577;

/** Settings of FTS5, which it keeps in the file. */
function options(values: Record<string, number>): string {
  return Object.entries(values)
    .map(([name, value]) => `INSERT INTO words (words, rank) VALUES ('${name}', ${value});`)
    .join("\n  ");
}

/**
 * While much is put, FTS5 only adds segments, of a buffer each, and `mergeSegments` makes one of all. That the file is in this mode is
 * written in it, so that the next process after a crash merges what is there.
 */
export const bulkMode = options({ automerge: 0, crisismerge: 1999 });
export const isInBulkMode = "SELECT 1 FROM words_config WHERE k = 'automerge' AND v = 0";
export const mergeSegments = `
  INSERT INTO words (words) VALUES ('optimize');
  ${options({ automerge: 4, crisismerge: 16 })}
`;

/**
 * The rowid of a chunk says when its session began: minutes since 1970, and a number among the chunks of that minute. FTS5
 * can then read hits from the newest to the oldest without sorting. Ids stay below 2^53, and neighbours differ by few bits,
 * which keeps FTS5's lists short.
 */
export const chunksPerMinute = 2 ** 21;

/**
 * `words` stores no text, and no sizes that Clew uses. Its `ascii` tokenizer reads what `splittable` prepared. Positions are
 * kept (detail=full): names, paths and all of Chinese are phrases, and without positions a phrase of frequent words would
 * have to be searched in the files. A buffer of 4 MB instead of 1 builds faster; with a much larger one, FTS5 would keep
 * large segments among the small ones, and each small change would soon rewrite them.
 *
 * `loose` marks a session whose chunks may come after those of a newer session of the same minute.
 */
export const searchSchema = `
  CREATE TABLE session (
    num INTEGER PRIMARY KEY,
    session_id TEXT NOT NULL UNIQUE,
    started_ms INTEGER NOT NULL,
    minute INTEGER NOT NULL,
    loose INTEGER NOT NULL,
    text_check TEXT NOT NULL
  );
  CREATE INDEX session_order ON session (minute, started_ms, session_id);
  CREATE INDEX session_loose ON session (minute) WHERE loose;
  CREATE TABLE chunk (
    id INTEGER PRIMARY KEY,
    session INTEGER NOT NULL,
    start INTEGER NOT NULL,
    "end" INTEGER NOT NULL,
    line INTEGER NOT NULL,
    phase TEXT NOT NULL,
    title TEXT NOT NULL
  );
  CREATE INDEX chunk_session ON chunk (session);
  CREATE VIRTUAL TABLE words USING fts5 (
    text, content = '', contentless_delete = 1, detail = full, tokenize = 'ascii'
  );
  ${options({ hashsize: 4 * 1024 * 1024 })}
  CREATE TABLE shard (name TEXT PRIMARY KEY, shard_check TEXT NOT NULL) WITHOUT ROWID;
  PRAGMA application_id = ${applicationId};
  PRAGMA user_version = ${schemaVersion};
`;
