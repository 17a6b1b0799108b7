import { mkdirSync, readdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { Folder } from "../../../test/support/folders.ts";
import { Crash, MemoryDisk } from "../../../test/sim/memory-disk.ts";
import type { TurnFile, TurnStore } from "../../app/turn/ports.ts";
import { assumeRedacted, type Redacted } from "../../contract/redacted.ts";
import type { TurnLine } from "../../contract/turn.ts";
import type { Disk } from "../files/disk.ts";
import { nodeDisk } from "../files/node-disk.ts";
import { turnFolders } from "./turn-folders.ts";

const layout = { root: "/repo", sessions: "/repo/.clew/sessions", home: "/repo/.git/clew" };
const session = "2026-11-18-work";
const at = "2026-11-18T10:00:00.000Z";

function file(name: string, content: string): TurnFile {
  return { name, content: assumeRedacted(content) };
}

function planned(turn: string): Redacted<TurnLine> {
  const how = { agent: "dev", engine: "scripted", beside_context: [], hashes: {}, repairs: 0 };
  return assumeRedacted({ v: 1, turn, at, type: "planned", after: null, ...how });
}

function executed(turn: string): Redacted<TurnLine> {
  return assumeRedacted({ v: 1, turn, at, type: "executed", status: "SUCCESS", hashes: {}, files: [] });
}

/** What a session's turns hold, each file as text. */
function contents(store: TurnStore): Record<string, Record<string, string>> {
  const read = (turn: string, name: string): string => Buffer.from(store.read(session, turn, name)!).toString("utf8");
  const filesOf = (turn: string): Record<string, string> =>
    Object.fromEntries(Object.keys(store.hashes(session, turn)).map((name) => [name, read(turn, name)]));
  return Object.fromEntries(store.folders(session).map((turn) => [turn, filesOf(turn)]));
}

/** A turn is planned, executed, and the next one is planned twice: the second time in its own folder. */
const steps: ((store: TurnStore) => void)[] = [
  (store) => store.commit(session, "01", [file("_context.log", "asked\n"), file("plan.md", "# One\n")], planned("01")),
  (store) => store.commit(session, "01", [file("output-1.txt", "out"), file("report.md", "SUCCESS\n")], executed("01")),
  (store) => store.append(session, assumeRedacted({ v: 1, turn: "01", at, type: "undone", files: [] })),
  (store) => store.commit(session, "02", [file("_context.log", "asked\n"), file("plan.md", "wrong\n")], planned("02")),
  (store) => store.commit(session, "02", [file("_repair-1.log", "again\n"), file("plan.md", "# Two\n")], planned("02")),
];

const stages = steps.map((_, count) => {
  const store = turnFolders(new MemoryDisk(), layout);
  for (const step of steps.slice(0, count + 1)) step(store);
  return contents(store);
});

describe("T3 turns on disk", () => {
  test("T3 what was committed is there, with its hashes in the lines", () => {
    expect(stages.at(-1)).toEqual({
      "01": { "_context.log": "asked\n", "output-1.txt": "out", "plan.md": "# One\n", "report.md": "SUCCESS\n" },
      "02": { "_context.log": "asked\n", "_repair-1.log": "again\n", "plan.md": "# Two\n" },
    });
  });

  for (const fault of ["kill", "power cut"] as const) {
    test(`T3 a ${fault} at any write leaves whole turns and no half one`, () => {
      fc.assert(
        fc.property(
          fc.integer({ min: 1, max: 40 }),
          fc.double({ min: 0, max: 1, noNaN: true }),
          fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { minLength: 9, maxLength: 9 }),
          (breakAt, part, chances) => {
            const disk = new MemoryDisk();
            const first = turnFolders(disk, layout);
            let done = 0;
            disk.breakAfter(breakAt, part);
            try {
              for (const step of steps) {
                step(first);
                done++;
              }
            } catch (error) {
              if (!(error instanceof Crash)) throw error;
            }
            let next = 0;
            if (fault === "kill") disk.kill();
            else disk.cutPower(() => chances[next++ % chances.length]!);
            const store = turnFolders(disk, layout);
            store.mend(session);
            const lines = store.lines(session);
            // What was acknowledged is there; what was under way is there as a whole, or not at all.
            expect([done, done + 1]).toContain(lines.length);
            expect(contents(store)).toEqual(stages[lines.length - 1] ?? {});
            for (const turn of store.folders(session)) {
              const told = lines.findLast((line) => line.turn === turn && "hashes" in line);
              expect(store.hashes(session, turn)).toMatchObject(told && "hashes" in told ? told.hashes : {});
            }
            expect(disk.list(`${layout.sessions}/${session}`).filter((name) => name.startsWith("."))).toEqual([]);
            for (const step of steps.slice(lines.length)) step(store);
            expect(contents(store)).toEqual(stages.at(-1));
          },
        ),
        { numRuns: 400 },
      );
    });
  }
});

function onDisk(folder: Folder, disk: Disk = nodeDisk): TurnStore {
  const place = { root: folder.path, sessions: folder.path, home: join(folder.path, "home") };
  mkdirSync(join(folder.path, session), { recursive: true });
  return turnFolders(disk, place);
}

describe("T3 turns on a real disk", () => {
  test("T3 the same steps make the same files", () => {
    using folder = new Folder();
    const store = onDisk(folder);
    for (const step of steps) step(store);
    expect(contents(store)).toEqual(stages.at(-1));
    store.mend(session);
    expect(readdirSync(join(folder.path, session)).sort()).toEqual(["01", "02", "turns.jsonl"]);
  });

  test("what is no plain file has no hash, and no name leads out of the folder", () => {
    using folder = new Folder();
    const store = onDisk(folder);
    steps[0]!(store);
    mkdirSync(join(folder.path, session, "01", "deep"));
    symlinkSync("/nowhere", join(folder.path, session, "01", "gone"));
    expect(store.hashes(session, "01")).toMatchObject({ deep: "", gone: "" });
    expect(() => store.read(session, "../01", "plan.md")).toThrow("is no name of a turn");
    expect(() => store.read(session, "01", "../turns.jsonl")).toThrow("is no file of a turn");
    expect(() => store.lines("../../etc")).toThrow("is no session id");
  });

  test("a damaged line in the middle is an error that names it; half a last line is none", () => {
    using folder = new Folder();
    const store = onDisk(folder);
    steps[0]!(store);
    const path = join(folder.path, session, "turns.jsonl");
    writeFileSync(path, '{"v":1,"tur', { flag: "a" });
    expect(store.lines(session)).toHaveLength(1);
    writeFileSync(path, "\n", { flag: "a" });
    expect(() => store.lines(session)).toThrow(/turns\.jsonl:2: /);
  });
});
