import type { Client, QueryResult, QueryResultRow } from "pg";
import { ClewError } from "../../contract/errors.ts";
import type { Pg } from "./sdk.ts";

/** This process must take the connection for lost before the server does, and frees its locks. */
const beatEveryMs = 5_000;
const beatLimitMs = 10_000;
const serverPatience = "SET tcp_keepalives_idle = 10; SET tcp_keepalives_interval = 5; SET tcp_keepalives_count = 4";
const channel = "clew_cancel";

export interface DriverSessionParts {
  pg: Pg;
  url: string;
  /** A person cancelled this run. */
  onCancel: (runId: string) => void;
  /** The connection broke, and every lock with it: another process may drive the runs from now on. */
  onLost: () => void;
}

/**
 * The connection that holds this process's locks. They are free at once when the process dies, however it dies; when the
 * machine or the network fails, as soon as the server notices.
 */
export class DriverSession {
  readonly #client: Client;
  readonly #beat: NodeJS.Timeout;
  /** The client takes one query at a time. */
  #lastQuery: Promise<unknown> = Promise.resolve();
  #closed = false;

  private constructor(client: Client, onLost: () => void) {
    this.#client = client;
    const lose = (): void => {
      if (this.#closed) return;
      this.#stop();
      onLost();
    };
    client.on("error", lose).on("end", lose);
    this.#beat = setInterval(() => {
      const timeout = setTimeout(lose, beatLimitMs).unref();
      this.#query("SELECT 1").then(
        () => clearTimeout(timeout),
        () => undefined,
      );
    }, beatEveryMs);
    this.#beat.unref();
  }

  static async open({ pg, url, onCancel, onLost }: DriverSessionParts): Promise<DriverSession> {
    const client = new pg.Client({ connectionString: url, keepAlive: true });
    await client.connect();
    const session = new DriverSession(client, onLost);
    client.on("notification", ({ payload = "" }) => onCancel(payload));
    await client.query(`${serverPatience}; LISTEN ${channel}`);
    return session;
  }

  /** Notifies the driver of a run when the transaction commits. */
  static readonly cancelNotice = `SELECT pg_notify('${channel}', $1)`;

  get isOpen(): boolean {
    return !this.#closed;
  }

  /** Returns the function that releases the lock; undefined when another process has it. Must not be called twice for a name. */
  async tryAcquire(name: string): Promise<(() => Promise<void>) | undefined> {
    if (this.#closed) throw connectionLost();
    const sql = "SELECT pg_try_advisory_lock(hashtextextended($1, 0)) AS held";
    const { rows } = await this.#query<{ held: boolean }>(sql, [name]);
    if (!rows[0]?.held) return undefined;
    return async () => {
      if (!this.#closed) await this.#query("SELECT pg_advisory_unlock(hashtextextended($1, 0))", [name]);
    };
  }

  async close(): Promise<void> {
    if (this.#closed) return;
    this.#stop();
    await this.#client.end();
  }

  #query<Row extends QueryResultRow>(sql: string, values: unknown[] = []): Promise<QueryResult<Row>> {
    const answer = this.#lastQuery.then(() => this.#client.query<Row>(sql, values));
    this.#lastQuery = answer.catch(() => undefined);
    return answer;
  }

  #stop(): void {
    this.#closed = true;
    clearInterval(this.#beat);
  }
}

export function connectionLost(): ClewError {
  return new ClewError(
    "interrupted",
    "the connection to Postgres broke, so that this process may not drive its runs any more",
    "run the same command again; the run goes on after its last completed step",
  );
}
