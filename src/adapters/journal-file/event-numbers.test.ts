import { appendFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { RunFolder } from "../../../test/support/run-host.ts";
import { nodeDisk } from "../files/node-disk.ts";
import { sqliteLocks } from "../files/lock.ts";
import { EventNumbers } from "./event-numbers.ts";

/** Numbers as one process gives them; `boot` is the run of the machine. */
function numbersIn(folder: RunFolder, boot = "boot-1"): { give: (run: string, writes?: string) => Promise<number> } {
  const locks = sqliteLocks(join(folder.root, "locks"));
  const { journals, lastEvent } = folder.folders;
  mkdirSync(journals, { recursive: true });
  const numbers = new EventNumbers({
    disk: nodeDisk,
    locks: async () => locks,
    folder: journals,
    file: lastEvent,
    boot,
  });
  const sizes = (run: string): number => {
    try {
      return readFileSync(join(journals, `${run}.jsonl`)).length;
    } catch {
      return 0;
    }
  };
  return {
    give: (run, writes = "whole") =>
      numbers.assign(
        run,
        () => sizes(run),
        (n) => {
          const line = `{"type":"workflow.completed","n":${n},"at":"now"}\n`;
          const part = { whole: line, torn: line.slice(0, -1), nothing: "" }[writes]!;
          appendFileSync(join(journals, `${run}.jsonl`), part);
          return n;
        },
      ),
  };
}

it("G14 processes take turns over several runs without a gap", async () => {
  using folder = new RunFolder();
  const processes = [numbersIn(folder), numbersIn(folder), numbersIn(folder)];
  const given = await Promise.all(Array.from({ length: 60 }, (_, at) => processes[at % 3]!.give(`run-${at % 5}`)));
  expect(given.sort((a, b) => a - b)).toEqual(given.map((_, at) => at + 1));
});

it.each(["torn", "nothing"])("G14 a number whose line is %s is given again by whoever comes next", async (writes) => {
  using folder = new RunFolder();
  expect(await numbersIn(folder).give("a")).toBe(1);
  expect(await numbersIn(folder).give("a", writes)).toBe(2);
  expect(await numbersIn(folder).give("b")).toBe(2);
  expect(await numbersIn(folder).give("b")).toBe(3);
});

it("G14 after a start of the machine the journals decide, whatever the record says", async () => {
  using folder = new RunFolder();
  const before = numbersIn(folder);
  for (const run of ["a", "b", "a"]) await before.give(run);
  writeFileSync(folder.folders.lastEvent, " ".repeat(300) + '{"n":1,"run":"a","offset":0,"boot":"boot-1"}\n');
  expect(await numbersIn(folder, "boot-2").give("c")).toBe(4);
});

it("G14 a record that is lost or damaged is made again from the journals, also when the last number stands far before the end", async () => {
  using folder = new RunFolder();
  await numbersIn(folder).give("a");
  await numbersIn(folder).give("a");
  const chatter = `{"type":"step.output","at":"now","text":"${"x".repeat(1000)}"}\n`;
  appendFileSync(join(folder.folders.journals, "a.jsonl"), chatter.repeat(200));
  rmSync(folder.folders.lastEvent);
  expect(await numbersIn(folder).give("b")).toBe(3);
  writeFileSync(folder.folders.lastEvent, "rubbish");
  expect(await numbersIn(folder).give("b")).toBe(4);
});

it("G14 a journal with very many lines after its last event does not stop the numbering", async () => {
  using folder = new RunFolder();
  await numbersIn(folder).give("a");
  appendFileSync(join(folder.folders.journals, "a.jsonl"), '{"type":"step.output"}\n'.repeat(300_000));
  expect(await numbersIn(folder, "boot-2").give("a")).toBe(2);
});

it("G14 a record that is removed while processes live makes no number come twice", async () => {
  using folder = new RunFolder();
  const processes = [numbersIn(folder), numbersIn(folder)];
  const given: number[] = [];
  for (let at = 0; at < 12; at++) {
    if (at % 5 === 4) rmSync(folder.folders.lastEvent);
    given.push(await processes[at % 2]!.give(`run-${at % 2}`));
  }
  expect(given).toEqual(given.map((_, at) => at + 1));
});
