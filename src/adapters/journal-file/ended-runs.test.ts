import { appendFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { Folder } from "../../../test/support/folders.ts";
import type { EndedRun } from "../../contract/run-snapshot.ts";
import { nodeDisk } from "../files/node-disk.ts";
import { EndedRuns } from "./ended-runs.ts";

const row = (id: string, journal_bytes: number): EndedRun => ({
  id,
  bead_id: "b",
  bead_title: "B",
  grimoire: "g",
  status: "completed",
  progress: { done: 1, total: 1 },
  started: "2026-11-17T00:00:00.000Z",
  updated: "2026-11-17T00:00:00.000Z",
  ended: "2026-11-17T00:00:00.000Z",
  journal_bytes,
});

it("D2 a process that watches the journals compares an ended run again only when its journal was written to", () => {
  using folder = new Folder();
  const written: string[] = [];
  const asked: string[] = [];
  const sizes = new Map([
    ["one", 10],
    ["two", 20],
  ]);
  const journals = {
    size: (id: string) => (asked.push(id), sizes.get(id) ?? 0),
    endedRun: () => undefined,
  };
  const file = join(folder.path, "ended.jsonl");
  const runs = new EndedRuns(nodeDisk, file, { take: () => written.splice(0) });
  runs.add([row("one", 10), row("two", 20)]);
  const ids = ["one", "two"];
  expect([...runs.among(ids, journals).keys()]).toEqual(ids);
  expect(asked.splice(0)).toEqual(ids);

  expect([...runs.among(ids, journals).keys()]).toEqual(ids);
  expect(asked).toEqual([]);

  sizes.set("two", 30);
  written.push("two");
  expect([...runs.among(ids, journals).keys()]).toEqual(["one"]);
  expect(asked.splice(0)).toEqual(["two"]);

  appendFileSync(file, `${JSON.stringify(row("two", 30))}\n`);
  expect(runs.among(ids, journals).get("two")?.journal_bytes).toBe(30);
  expect([...runs.among(["two"], journals).keys()]).toEqual(["two"]);
});
