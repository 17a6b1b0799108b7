import type { Redacted } from "../../contract/redacted.ts";
import type { ClientBase, Pool } from "pg";
import { ClewError } from "../../contract/errors.ts";
import { journalLine, type JournalLine, type RunEvent, type DistributiveOmit } from "../../contract/run-journal.ts";
import type { RunStatus } from "../../contract/run.ts";
import { runSchema } from "./schema.ts";

export type UnnumberedEvent = DistributiveOmit<RunEvent, "n">;
export type OtherLine = Exclude<JournalLine, RunEvent>;

export interface RunRow {
  status: RunStatus;
  cancelAsked: boolean;
  signalsSent: number;
}

type Queries = Pick<Pool | ClientBase, "query">;

/** An arbitrary lock number, the same in all processes. */
const makingTables = 4_719_001;
const duplicateKey = "23505";

/** Clew's own tables: the runs and their journals. */
export class RunTables {
  readonly #db: Queries;

  constructor(db: Queries) {
    this.#db = db;
  }

  /** Makes missing tables; several processes may try at once. */
  async make(): Promise<void> {
    await this.#db.query(`BEGIN; SELECT pg_advisory_xact_lock(${makingTables}); ${runSchema} COMMIT;`);
  }

  /** Whether the id was free. */
  async add(runId: string): Promise<boolean> {
    const sql = "INSERT INTO clew.runs (id) VALUES ($1) ON CONFLICT DO NOTHING";
    return (await this.#db.query(sql, [runId])).rowCount === 1;
  }

  async row(runId: string): Promise<RunRow> {
    const sql = "SELECT status, cancel_asked, signals_sent FROM clew.runs WHERE id = $1";
    const { rows } = await this.#db.query<{ status: RunStatus; cancel_asked: boolean; signals_sent: number }>(sql, [
      runId,
    ]);
    const [row] = rows;
    if (!row) throw unknownRun(runId);
    return { status: row.status, cancelAsked: row.cancel_asked, signalsSent: row.signals_sent };
  }

  async setStatus(runId: string, status: RunStatus): Promise<void> {
    await this.#db.query("UPDATE clew.runs SET status = $2 WHERE id = $1", [runId, status]);
  }

  /** The run waits, and has received this many signals. */
  async setWaiting(runId: string, status: RunStatus, signalsHeard: number): Promise<void> {
    const sql = "UPDATE clew.runs SET status = $2, signals_heard = $3 WHERE id = $1";
    await this.#db.query(sql, [runId, status, signalsHeard]);
  }

  /** Counts one more signal, in the transaction that sends it. */
  async countSignal(runId: string, isCancel: boolean): Promise<void> {
    const sql = "UPDATE clew.runs SET signals_sent = signals_sent + 1, cancel_asked = cancel_asked OR $2 WHERE id = $1";
    if ((await this.#db.query(sql, [runId, isCancel])).rowCount !== 1) throw unknownRun(runId);
  }

  /** Runs that have something to do: they should be running, or have a signal that they did not receive yet. */
  async unfinished(): Promise<string[]> {
    const sql = `SELECT id FROM clew.runs WHERE status = 'running'
      OR (status NOT IN ('completed', 'cancelled') AND signals_sent > signals_heard) ORDER BY id`;
    return (await this.#db.query<{ id: string }>(sql)).rows.map(({ id }) => id);
  }

  /** The running time of each recorded line of a run that has a key, by that key. */
  async recordedAt(runId: string): Promise<Map<string, number>> {
    const sql = "SELECT key, running_ms FROM clew.journal WHERE run_id = $1 AND key IS NOT NULL";
    const { rows } = await this.#db.query<{ key: string; running_ms: number | null }>(sql, [runId]);
    return new Map(rows.map(({ key, running_ms }) => [key, running_ms ?? 0]));
  }

  /** Writes an event with the next number; undefined when the journal already has its key. */
  async event(runId: string, key: string, event: Redacted<UnnumberedEvent>): Promise<RunEvent | undefined> {
    const { type, at, ...rest } = event;
    const line = journalLine.parse({ type, n: 1, at, ...rest });
    // The counter's row is locked until the number is in the journal, so that no number is lost.
    const sql = `WITH next AS (
        UPDATE clew.counter SET last_event = last_event + 1
        WHERE NOT EXISTS (SELECT FROM clew.journal WHERE run_id = $1 AND key = $2) RETURNING last_event)
      INSERT INTO clew.journal (run_id, key, n, running_ms, line)
      SELECT $1, $2, last_event, $3, $4 FROM next RETURNING n::float8`;
    const running = "running_ms" in event ? event.running_ms : null;
    try {
      const { rows } = await this.#db.query<{ n: number }>(sql, [runId, key, running, JSON.stringify(line)]);
      return rows[0] && ({ ...line, n: rows[0].n } as RunEvent);
    } catch (error) {
      // Another process wrote the same event between the check and the insert; the number was rolled back.
      if ((error as { code?: unknown }).code === duplicateKey) return undefined;
      throw error;
    }
  }

  /** Writes lines that are no events; one with a key is written once. */
  async lines(runId: string, lines: Redacted<OtherLine>[], key: string | null = null): Promise<void> {
    const texts = lines.map((line) => JSON.stringify(journalLine.parse(line)));
    const sql = "INSERT INTO clew.journal (run_id, key, line) SELECT $1, $2, unnest($3::text[]) ON CONFLICT DO NOTHING";
    await this.#db.query(sql, [runId, key, texts]);
  }

  /** A run's log in the order it was written; of all runs, the events alone. */
  async journal(runId: string | undefined): Promise<JournalLine[]> {
    const which = runId === undefined ? "n IS NOT NULL ORDER BY n" : "run_id = $1 ORDER BY id";
    const sql = `SELECT n::float8, line FROM clew.journal WHERE ${which}`;
    const { rows } = await this.#db.query<{ n: number | null; line: string }>(sql, runId === undefined ? [] : [runId]);
    return rows.map(({ n, line }) => {
      const fields = JSON.parse(line) as object;
      return journalLine.parse(n === null ? fields : { ...fields, n });
    });
  }
}

function unknownRun(runId: string): ClewError {
  return new ClewError("unknown_run", `there is no run ${runId}`, "clew run list shows those that exist");
}
