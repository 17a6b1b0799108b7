import type { Pool, PoolClient } from "pg";
import { ClewError } from "../../contract/errors.ts";
import type { Pg, Sdk } from "./sdk.ts";

/** Newer versions of the program must find the runs of older ones, so that this is not a hash of the code. */
const applicationVersion = "1";
const applicationName = "clew";
const workflowName = "clew-run";
/** No process listens to this queue: a run goes on only once a process drives it. */
const restingQueue = "clew-resting";
const queuePrefix = "clew-process-";

export interface WorkflowParts {
  sdk: Sdk;
  pg: Pg;
  url: string;
  /** Names this process among all that ever use the database. */
  executorId: string;
  /** The longest delay before a drive begins. */
  lookEveryMs: number;
  /** The function of a run's workflow; gets the pinned run as JSON. */
  body: (runId: string, pinned: string) => Promise<string>;
}

type Client = Awaited<ReturnType<Sdk["DBOSClient"]["create"]>>;

/**
 * DBOS as Clew uses it. Each process has its own queue, so that a run's workflow is executed by the process that drives the
 * run. DBOS gives the workflow a new owner each time it is taken from a queue, and rejects later writes of a former owner.
 */
export class Workflows {
  readonly pool: Pool;
  readonly #parts: WorkflowParts;
  readonly #client: Client;

  private constructor(parts: WorkflowParts, pool: Pool, client: Client) {
    this.#parts = parts;
    this.pool = pool;
    this.#client = client;
  }

  /** DBOS exists once in a process: throws when it is launched already. */
  static async launch(parts: WorkflowParts): Promise<Workflows> {
    const { sdk, pg, url: systemDatabaseUrl, executorId, lookEveryMs, body } = parts;
    const { DBOS, DBOSClient } = sdk;
    if (DBOS.isInitialized()) throw new Error("this process hosts runs on Postgres already");
    const systemDatabasePool = new pg.Pool({ connectionString: systemDatabaseUrl });
    // A connection that breaks while idle is replaced; one that breaks in use rejects its query.
    systemDatabasePool.on("error", () => undefined);
    const queue = queueOf(executorId);
    DBOS.registerWorkflow((pinned: string) => body(DBOS.workflowID!, pinned), { name: workflowName });
    DBOS.setConfig({
      name: applicationName,
      applicationVersion,
      executorID: executorId,
      systemDatabaseUrl,
      systemDatabasePool,
      listenQueues: [queue],
      // Messages are only received once they are known to have been sent.
      useListenNotify: false,
      logger: silent,
    });
    try {
      const client = await DBOSClient.create({
        systemDatabaseUrl,
        systemDatabasePool,
        applicationName,
        logger: silent,
      });
      // DBOS notices a queue at once that exists before it starts. On a fresh database it has to make its tables first.
      const isFresh = !(await hasTables(systemDatabasePool));
      if (!isFresh) await client.registerQueue(queue, { minPollingIntervalMs: lookEveryMs, applicationName });
      await DBOS.launch();
      if (isFresh) await DBOS.registerQueue(queue, { minPollingIntervalMs: lookEveryMs });
      return new Workflows(parts, systemDatabasePool, client);
    } catch (cause) {
      await systemDatabasePool.end();
      throw notAvailable(systemDatabaseUrl, cause);
    }
  }

  /** Makes this process's queue again, after others took the process for dead and removed it. */
  async registerQueue(): Promise<void> {
    const { executorId, lookEveryMs } = this.#parts;
    await this.#client.registerQueue(queueOf(executorId), { minPollingIntervalMs: lookEveryMs, applicationName });
  }

  /** Makes a run's workflow, in the caller's transaction. */
  async add(transaction: PoolClient, runId: string, pinned: string): Promise<void> {
    const options = { workflowName, workflowID: runId, queueName: restingQueue, appVersion: applicationVersion };
    await this.#client.enqueueInTransaction(transaction, { ...options, workflowIDReusePolicy: "reject" }, pinned);
  }

  /** Moves the workflow to this process's queue; a completed one stays as it is. */
  async takeOver(runId: string): Promise<void> {
    await this.#parts.sdk.DBOS.resumeWorkflow(runId, { queueName: queueOf(this.#parts.executorId) });
  }

  /** No process executes the workflow until one takes it over. */
  async setAside(runId: string): Promise<void> {
    await this.#parts.sdk.DBOS.cancelWorkflow(runId);
  }

  /** Sends a message, in the caller's transaction; `id` makes sure that it arrives once. */
  async send(transaction: PoolClient, runId: string, message: string, topic: string, id: string): Promise<void> {
    await this.#client.sendInTransaction(transaction, runId, message, topic, id);
  }

  async inTransaction<T>(work: (transaction: PoolClient) => Promise<T>): Promise<T> {
    const client = await this.pool.connect();
    try {
      await client.query("BEGIN");
      const result = await work(client);
      await client.query("COMMIT");
      client.release();
      return result;
    } catch (error) {
      // The connection may be the very thing that broke; it is not used again.
      client.release(true);
      throw error;
    }
  }

  /** Processes that have a queue; dead ones cannot remove theirs. */
  async executors(): Promise<string[]> {
    const queues = await this.#client.listQueues(applicationName);
    return queues.flatMap(({ name }) => (name.startsWith(queuePrefix) ? name.slice(queuePrefix.length) : []));
  }

  async removeQueue(executorId: string): Promise<void> {
    await this.#client.deleteQueue(queueOf(executorId));
  }

  async close(): Promise<void> {
    await this.removeQueue(this.#parts.executorId);
    await this.#parts.sdk.DBOS.shutdown({ deregister: true });
    await this.#client.destroy();
    await this.pool.end();
  }
}

function queueOf(executorId: string): string {
  return queuePrefix + executorId;
}

async function hasTables(pool: Pool): Promise<boolean> {
  const { rows } = await pool.query<{ found: boolean }>("SELECT to_regclass('dbos.queues') IS NOT NULL AS found");
  return rows[0]?.found === true;
}

export function notAvailable(url: string, cause: unknown): ClewError {
  const { host, pathname } = new URL(url);
  const why =
    cause instanceof Error && cause.message !== "" ? cause.message : String((cause as { code?: unknown }).code);
  const message = `cannot work with the database ${host}${pathname}: ${why}`;
  return new ClewError("not_available", message, "check its address, and whether the server runs", { cause });
}

const nothing = (): void => undefined;
/** Failures reach the caller as errors; DBOS's own messages are dropped. */
const silent = { info: nothing, debug: nothing, warn: nothing, error: nothing };
