import { expect, test } from "vitest";
import type { ListedRun } from "../../contract/api/run.ts";
import { runPage } from "./page.ts";
import { newestRunFirst } from "./read.ts";

const run = (id: string, started: string): ListedRun => ({ id, started }) as ListedRun;
const runs = [run("a", "2026-01-03"), run("c", "2026-01-02"), run("b", "2026-01-02"), run("d", "2026-01-01")];

function pages(limit: number): string[] {
  const found: string[] = [];
  let after: string | undefined;
  do {
    const page = runPage(runs.toSorted(newestRunFirst), { limit, after });
    found.push(page.runs.map(({ id }) => id).join(""));
    after = page.next;
  } while (after !== undefined);
  return found;
}

test("G14 pages hold every run once, in order", () => {
  expect(pages(4)).toEqual(["acbd"]);
  expect(pages(3)).toEqual(["acb", "d"]);
  expect(pages(1)).toEqual(["a", "c", "b", "d"]);
});

test("G14 the next page follows the place of the last run, also when that is gone or others have come", () => {
  const [first, second, third, fourth] = runs;
  const { next } = runPage(runs, { limit: 2 });
  expect(runPage([run("new", "2026-02-01"), first!, third!, fourth!], { after: next }).runs).toEqual([third, fourth]);
  expect(runPage([second!], { after: next })).toEqual({ runs: [] });
});
