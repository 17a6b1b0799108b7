import type { ListedRun } from "../../contract/api/run.ts";
import { cursorAt, notAPlace, readCursor, type PageRequest } from "../../contract/page.ts";
import { newestRunFirst } from "./read.ts";

/** A page of runs, newest first. `next` names the last of them, so that it holds although runs come and go. */
export function runPage(
  runs: ListedRun[],
  { limit = Infinity, after }: PageRequest,
): { runs: ListedRun[]; next?: string } {
  const cursor = after === undefined ? undefined : readPlace(after);
  const rest = cursor ? runs.filter((run) => newestRunFirst(run, cursor) > 0) : runs;
  const page = rest.slice(0, limit);
  const last = page.at(-1);
  return { runs: page, ...(last && page.length < rest.length && { next: cursorAt(last.started, last.id) }) };
}

function readPlace(after: string): Pick<ListedRun, "started" | "id"> {
  const [started = "", id = ""] = readCursor(after, 2);
  if (Number.isNaN(Date.parse(started))) throw notAPlace(after);
  return { started, id };
}
