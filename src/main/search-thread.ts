import { parentPort, workerData } from "node:worker_threads";
import type { PartWork, ThreadMessage } from "../adapters/search/fill-threads.ts";
import { SqliteSearch } from "../adapters/search/sqlite-search.ts";
import { paths } from "../adapters/layout.ts";
import { fillSearch } from "../app/search/fill.ts";
import { SearchDamaged } from "../app/search/ports.ts";
import { ClewError } from "../contract/errors.ts";
import { openGround, type Environment } from "./wire-ground.ts";
import { openRecords } from "./wire-sessions.ts";

/** What the thread is told besides its work: where the program was called, and in which environment. */
export interface ThreadPlace {
  cwd: string;
  env: Environment;
}

/** So many sessions are told of at once. */
const toldAtOnce = 20;

/** A thread of its own that puts sessions into one part of the search, and settles it. */
async function fillPart({ cwd, env, part, sessions }: ThreadPlace & PartWork): Promise<void> {
  const ground = await openGround(cwd, env);
  const { redact } = await ground.redactor();
  const search = new SqliteSearch(paths.search(ground.layout), part);
  let untold = 0;
  const onPut = (more: number): void => {
    untold += more;
    if (untold < toldAtOnce) return;
    tell({ kind: "put", more: untold });
    untold = 0;
  };
  try {
    search.expectMany();
    await fillSearch({ records: openRecords(ground).records, search, redact, onPut }, sessions);
    search.settle();
  } finally {
    search.close();
  }
}

function tell(message: ThreadMessage): void {
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
  parentPort?.postMessage(message);
}

function ending(error: unknown): ThreadMessage {
  if (error instanceof SearchDamaged) return { kind: "damaged", message: error.message };
  if (!(error instanceof ClewError)) throw error;
  return { kind: "refused", code: error.code, message: error.message, hint: error.hint };
}

void fillPart(workerData as ThreadPlace & PartWork).then(
  () => tell({ kind: "done" }),
  (error: unknown) => tell(ending(error)),
);
