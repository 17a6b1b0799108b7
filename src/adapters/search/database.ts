import { DatabaseSync, type DatabaseSyncInstance, type StatementSyncInstance } from "@photostructure/sqlite";
import { translateErrors } from "./sqlite-errors.ts";

export type SqlValue = string | number | null;

const busyTimeoutMs = 10_000;
/** A large change leaves a large write-ahead log; after the checkpoint, its file shrinks to this. */
const maxIdleLogBytes = 4 * 1024 * 1024;

/**
 * A SQLite connection with a fixed set of statements: each SQL text is prepared once, because this binding frees a statement
 * only when it is garbage-collected. For the same reason rows are read by `all`, in pages, which leaves no cursor open.
 */
export class Database {
  readonly #db: DatabaseSyncInstance;
  readonly #statements = new Map<string, StatementSyncInstance>();

  constructor(path: string) {
    this.#db = translateErrors(() => new DatabaseSync(path, { timeout: busyTimeoutMs }));
    this.exec(`PRAGMA journal_size_limit = ${maxIdleLogBytes}`);
    // Deleted rows are overwritten, not merely unlinked.
    this.exec("PRAGMA secure_delete = ON");
  }

  exec(sql: string): void {
    translateErrors(() => this.#db.exec(sql));
  }

  /** Returns the rowid of the last row that was inserted. */
  run(sql: string, ...values: SqlValue[]): number {
    return Number(translateErrors(() => this.#statement(sql).run(...toBindings(values))).lastInsertRowid);
  }

  /** The first row; undefined when there is none. */
  get(sql: string, ...values: SqlValue[]): unknown {
    return translateErrors(() => this.#statement(sql).get(...toBindings(values)) as unknown);
  }

  /** The only column of the first row; undefined when there is no row. */
  value(sql: string, ...values: SqlValue[]): SqlValue | undefined {
    const row = this.get(sql, ...values) as Record<string, SqlValue> | undefined;
    return row && Object.values(row)[0];
  }

  all(sql: string, ...values: SqlValue[]): unknown[] {
    return translateErrors(() => this.#statement(sql).all(...toBindings(values)) as unknown[]);
  }

  /** All or nothing. Takes the write lock at once, so that no other process changes what `work` reads. */
  transaction<T>(work: () => T): T {
    return this.#db.isTransaction ? work() : inTransaction(this, work);
  }

  begin(): void {
    this.exec("BEGIN IMMEDIATE");
  }

  commit(): void {
    this.exec("COMMIT");
  }

  close(): void {
    this.#statements.clear();
    this.#db.close();
  }

  /** Never throws: the first error says more, and closing the connection rolls back, too. */
  rollBack(): void {
    try {
      // SQLite has ended the transaction itself after some errors.
      if (this.#db.isTransaction) this.#db.exec("ROLLBACK");
    } catch {
      return;
    }
  }

  #statement(sql: string): StatementSyncInstance {
    let statement = this.#statements.get(sql);
    if (!statement) this.#statements.set(sql, (statement = this.#db.prepare(sql)));
    return statement;
  }
}

/** Begins, does the work and commits; when that throws, all is rolled back. */
export function inTransaction<T>(on: { begin(): void; commit(): void; rollBack(): void }, work: () => T): T {
  on.begin();
  try {
    const result = work();
    on.commit();
    return result;
  } catch (error) {
    on.rollBack();
    throw error;
  }
}

/** Numbers as bigint: the binding would pass large ones as floating point, which FTS5 does not take for a limit. */
function toBindings(values: SqlValue[]): (SqlValue | bigint)[] {
  return values.map((value) => (typeof value === "number" ? BigInt(value) : value));
}
