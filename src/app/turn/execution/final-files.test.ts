import { expect, test } from "vitest";
import type { PlannedChange } from "../../../contract/turn-journal.ts";
import { FinalFiles } from "./final-files.ts";
import type { FileWrite, TurnJournal } from "./ports.ts";

const content = (sha256: string) => ({ bytes: new Uint8Array(), sha256, mode: 0o644 });

/** A turn that made `new.txt`, and changed `old.txt` from `before`, on a disk that holds these hashes. */
function turn(disk: Map<string, string>): FinalFiles {
  const writes: FileWrite[] = [
    { path: "new.txt", before: null, after: content("made") },
    { path: "old.txt", before: content("before"), after: content("after") },
  ];
  const journal = { keep: () => undefined, changes: () => writes as PlannedChange[] } as unknown as TurnJournal;
  const look = (path: string) => {
    const sha256 = disk.get(path);
    return sha256 === undefined ? ({ kind: "missing" } as const) : ({ kind: "file", ...content(sha256) } as const);
  };
  const left = new FinalFiles({ look }, journal);
  left.applied(writes);
  return left;
}

test("T5 what a command of the turn made of a file is the turn's", () => {
  const disk = new Map([
    ["new.txt", "made"],
    ["old.txt", "after"],
  ]);
  const left = turn(disk);
  left.beforeCommand();
  disk.set("old.txt", "formatted").delete("new.txt");
  left.afterCommand();
  expect(left.changes()).toEqual([{ path: "old.txt", before: "before", after: "formatted" }]);
});

test("T5 what a person made of a file between two commands is not: it is left as the turn had it, so that undo refuses", () => {
  const disk = new Map([
    ["new.txt", "made"],
    ["old.txt", "after"],
  ]);
  const left = turn(disk);
  left.beforeCommand();
  left.afterCommand();
  disk.set("old.txt", "a person's");
  left.beforeCommand();
  disk.set("old.txt", "a person's, formatted");
  left.afterCommand();
  expect(left.changes()).toEqual([
    { path: "new.txt", before: null, after: "made" },
    { path: "old.txt", before: "before", after: "after" },
  ]);
});
