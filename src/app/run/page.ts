import type { ListedRun } from "../../contract/api/run.ts";
import { newestFirst } from "./read.ts";

/** A page of runs, newest first. `next` names the last of them, so that it holds although runs come and go. */
export function pageOf(
  runs: ListedRun[],
  { limit = Infinity, after }: { limit?: number | undefined; after?: string | undefined },
): { runs: ListedRun[]; next?: string } {
  const [started = "", id = ""] = after?.split(" ") ?? [];
  const rest = after === undefined ? runs : runs.filter((run) => newestFirst(run, { started, id }) > 0);
  const page = rest.slice(0, limit);
  const last = page.at(-1);
  return { runs: page, ...(last && page.length < rest.length && { next: `${last.started} ${last.id}` }) };
}
