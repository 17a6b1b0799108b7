import { accessSync, constants, mkdirSync, readdirSync, rmSync } from "node:fs";
import { SearchDamaged } from "../../app/search/ports.ts";
import { explainErrors } from "../files/failure.ts";
import { searchPaths } from "../layout/session-paths.ts";
import { Database } from "./database.ts";
import { applicationId, searchSchema, schemaVersion } from "./schema.ts";

// Each part of the search is a file in its folder: `search.N.db`, `search-1.N.db` and so on, and the largest N counts. A new one
// takes the next number instead of the same name: a process that still has the old file open removes the write-ahead log of
// that name when it closes.

export interface OpenSearch {
  db: Database;
  number: number;
}

/** Opens the search, or makes an empty one when there is none that can be used. */
export function openSearch(folder: string, part: number): OpenSearch {
  explainErrors(folder, () => {
    mkdirSync(folder, { recursive: true });
    accessSync(folder, constants.R_OK | constants.W_OK);
  });
  const numbers = fileNumbers(folder, part);
  const number = Math.max(1, ...numbers);
  removeFiles(
    folder,
    part,
    numbers.filter((other) => other !== number),
  );
  const db = tryOpen(searchPaths.database(folder, part, number));
  return db ? { db, number } : openNext(folder, part, number);
}

/** Replaces the search with number `number` by an empty one, or by one that another process has made meanwhile. */
export function openNext(folder: string, part: number, number: number): OpenSearch {
  const numbers = fileNumbers(folder, part);
  const next = Math.max(number + 1, ...numbers);
  const db = tryOpen(searchPaths.database(folder, part, next));
  if (!db) return openNext(folder, part, next);
  removeFiles(
    folder,
    part,
    [...numbers, number].filter((other) => other !== next),
  );
  return { db, number: next };
}

export function openInMemory(): OpenSearch {
  return { db: create(new Database(":memory:")), number: 0 };
}

/** Undefined when the file is not a search of this version. */
function tryOpen(path: string): Database | undefined {
  let db: Database | undefined;
  try {
    db = new Database(path);
    if (isCurrent(db)) return db;
    if (isEmpty(db)) return create(db);
  } catch (error) {
    if (!(error instanceof SearchDamaged)) throw error;
  }
  db?.close();
  return undefined;
}

function create(db: Database): Database {
  db.exec("PRAGMA journal_mode = WAL");
  db.transaction(() => {
    if (isEmpty(db)) db.exec(searchSchema);
  });
  return db;
}

const isCurrent = (db: Database) =>
  db.value("PRAGMA user_version") === schemaVersion && db.value("PRAGMA application_id") === applicationId;

const isEmpty = (db: Database) => db.value("SELECT count(*) FROM sqlite_schema") === 0;

function fileNumbers(folder: string, part: number): number[] {
  return readdirSync(folder).flatMap((name) => searchPaths.numberOf(name, part) ?? []);
}

function removeFiles(folder: string, part: number, numbers: number[]): void {
  for (const file of numbers.flatMap((number) => searchPaths.files(folder, part, number)))
    rmSync(file, { force: true });
}
