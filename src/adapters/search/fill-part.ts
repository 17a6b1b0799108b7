import { parentPort } from "node:worker_threads";
import { fillSearch, type FillParts } from "../../app/search/fill.ts";
import { SearchDamaged } from "../../app/search/ports.ts";
import { ClewError } from "../../contract/errors.ts";
import type { PartWork, ThreadMessage } from "./fill-threads.ts";
import { SqliteSearch } from "./sqlite-search.ts";

/** How many sessions are reported at once. */
const reportedAtOnce = 20;

interface Parts extends Pick<FillParts, "records" | "redact"> {
  /** Where the search is. */
  folder: string;
}

/** In a thread of its own: puts sessions into one part of the search, settles it, and reports to the program. */
export async function fillPart({ part, sessions }: PartWork, open: () => Promise<Parts>): Promise<void> {
  try {
    const { folder, records, redact } = await open();
    const search = new SqliteSearch(folder, part);
    let unreported = 0;
    const onPut = (more: number): void => {
      unreported += more;
      if (unreported < reportedAtOnce) return;
      report({ kind: "put", more: unreported });
      unreported = 0;
    };
    try {
      search.expectMany();
      await fillSearch({ records, search, redact, onPut }, sessions);
      search.settle();
    } finally {
      search.close();
    }
    report({ kind: "done" });
  } catch (error) {
    report(failureMessage(error));
  }
}

function report(message: ThreadMessage): void {
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
  parentPort?.postMessage(message);
}

function failureMessage(error: unknown): ThreadMessage {
  if (error instanceof SearchDamaged) return { kind: "damaged", message: error.message };
  if (!(error instanceof ClewError)) throw error;
  return { kind: "refused", code: error.code, message: error.message, hint: error.hint };
}
