import type { ListedRun } from "../../contract/api/run.ts";
import { notAPlace, type PageRequest } from "../../contract/page.ts";
import { newestRunFirst } from "./read.ts";

/** A page of runs, newest first. `next` names the last of them, so that it holds although runs come and go. */
export function runPage(
  runs: ListedRun[],
  { limit = Infinity, after }: PageRequest,
): { runs: ListedRun[]; next?: string } {
  const cursor = after === undefined ? undefined : readCursor(after);
  const rest = cursor ? runs.filter((run) => newestRunFirst(run, cursor) > 0) : runs;
  const page = rest.slice(0, limit);
  const last = page.at(-1);
  return { runs: page, ...(last && page.length < rest.length && { next: `${last.started}/${last.id}` }) };
}

function readCursor(after: string): Pick<ListedRun, "started" | "id"> {
  const [, started, id] = /^([^/]+)\/([^/]+)$/.exec(after) ?? [];
  if (started === undefined || id === undefined || Number.isNaN(Date.parse(started))) throw notAPlace(after);
  return { started, id };
}
