import { DatabaseSync, type DatabaseSyncInstance } from "@photostructure/sqlite";
import { statSync } from "node:fs";
import { ClewError } from "../../contract/errors.ts";
import type { SourceLine } from "../../app/import/ports.ts";
import type { Listing } from "./list-folder.ts";
import { describeKind } from "../files/regular-file.ts";
import { longestLine } from "../../engine/line-splitter.ts";
import { markOf } from "./mark.ts";

interface SessionRow {
  id: string;
  parent_id: string | null;
  directory: string;
  time_updated: number;
}

/** A message that is not finished after so long never will be. */
const abandonedMs = 3_600_000;

/**
 * opencode keeps its sessions in SQLite, which is read here without a lock that it would notice: `opencode export ID` starts the whole
 * program for each session, tells nothing of subagents, and writes to the same database.
 */
export function listOpencode(path: string, roots: string[] | undefined): Listing {
  const listing: Listing = { files: [], skipped: [] };
  const stats = statSync(path, { throwIfNoEntry: false });
  if (!stats) return listing;
  if (!stats.isFile()) return { files: [], skipped: [{ path, reason: `is ${describeKind(stats)}, not a file` }] };
  try {
    const rows = withDatabase(path, (db) =>
      db.prepare("SELECT id, parent_id, directory, time_updated FROM session ORDER BY time_created").all(),
    ) as unknown as SessionRow[];
    for (const { id, parent_id, directory, time_updated } of rows) {
      if (roots && !roots.some((root) => directory === root || directory.startsWith(`${root}/`))) continue;
      listing.files.push({
        engine: "opencode",
        path: `${path}#${id}`,
        stamp: String(time_updated),
        bytes: 0,
        writtenMs: time_updated,
        about: { session: id, ...(parent_id !== null && { parent: parent_id }) },
      });
    }
  } catch (error) {
    listing.skipped.push({ path, reason: `cannot be read: ${(error as Error).message}` });
  }
  return listing;
}

/** The rows of one session as lines; `end` counts them. Ends before a message that is still being written. */
export function* opencodeLines(path: string, nowMs: number): Generator<SourceLine> {
  const { file, id } = partsOf(path);
  let end = 0;
  for (const row of readRows(file, id, nowMs))
    yield { bytes: row && Buffer.from(JSON.stringify(row)), end: ++end, isTorn: false };
}

/** Marks the last of so many rows by its id; undefined when there are fewer. */
export function opencodeMark(path: string, rows: number): string | undefined {
  const { file, id } = partsOf(path);
  return withDatabase(file, (db) => {
    const messages = db.prepare("SELECT id FROM message WHERE session_id = ? ORDER BY id").all(id);
    const parts = db.prepare("SELECT id FROM part WHERE message_id = ? ORDER BY id");
    // The session itself is the first row.
    let before = 1;
    if (rows === before) return markOf(id);
    for (const message of messages as unknown as { id: string }[]) {
      const own = [message, ...(parts.all(message.id) as unknown as { id: string }[])];
      const last = own[rows - before - 1];
      if (last) return markOf(last.id);
      before += own.length;
    }
    return undefined;
  });
}

/** The path of a session is that of its database, with its id. */
function partsOf(path: string): { file: string; id: string } {
  const at = path.lastIndexOf("#");
  return { file: path.slice(0, at), id: path.slice(at + 1) };
}

/** Other versions of opencode may keep their sessions otherwise. Null stands for a row that is too long to be held. */
function* readRows(file: string, id: string, nowMs: number): Generator<object | null> {
  let db: DatabaseSyncInstance | undefined;
  try {
    db = new DatabaseSync(file, { readOnly: true });
    yield* sessionRows(db, id, nowMs);
  } catch (cause) {
    const message = `the session ${id} in ${file} cannot be read: ${(cause as Error).message}`;
    throw new ClewError("unreadable_file", message, "another version of opencode may have written it", { cause });
  } finally {
    db?.close();
  }
}

/** What a row holds, unless it is too long. */
const data = `CASE WHEN length(CAST(data AS BLOB)) <= ${longestLine} THEN data END AS data`;

function* sessionRows(db: DatabaseSyncInstance, id: string, nowMs: number): Generator<object | null> {
  const session = db.prepare("SELECT id, parent_id, directory, title, agent FROM session WHERE id = ?").get(id);
  if (!session) return;
  yield { session };
  const messages = db.prepare(
    `SELECT id, time_created, time_updated, ${data} FROM message WHERE session_id = ? ORDER BY id`,
  );
  const parts = db.prepare(`SELECT time_created, ${data} FROM part WHERE message_id = ? ORDER BY id`);
  for (const row of messages.all(id) as unknown as StoredRow[]) {
    const message = { ...row, data: dataOf(row.data) };
    const { role, time } = message.data as { role?: unknown; time?: { completed?: unknown } };
    const isOpen = role === "assistant" && time?.completed === undefined;
    if (isOpen && nowMs - row.time_updated < abandonedMs) break;
    yield row.data === null ? null : { message };
    for (const part of parts.all(row.id) as unknown as StoredRow[])
      yield part.data === null ? null : { part: { ...part, data: dataOf(part.data) } };
  }
}

interface StoredRow {
  id: string;
  time_created: number;
  time_updated: number;
  data: string | null;
}

function dataOf(text: unknown): object {
  try {
    const value = JSON.parse(String(text)) as unknown;
    return typeof value === "object" && value !== null ? value : {};
  } catch {
    return {};
  }
}

function withDatabase<T>(path: string, work: (db: DatabaseSyncInstance) => T): T {
  const db = new DatabaseSync(path, { readOnly: true });
  try {
    return work(db);
  } finally {
    db.close();
  }
}
