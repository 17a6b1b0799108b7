import { assumeRedacted } from "../../contract/redacted.ts";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync, statSync, writeFileSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { RecordWriter, SessionRecords } from "../../app/session/ports.ts";
import type { Disk } from "./disk.ts";
import type { Layout } from "../layout.ts";
import type { Locks } from "./lock.ts";
import { editorSaves } from "./editor-saves.fixture.ts";
import { nodeDisk } from "./node-disk.ts";
import { setConfig } from "./set-config.ts";
import { sessionRecords } from "./session-records.ts";

const moment = { at: "2026-11-15T10:00:00Z" };
const said = (text: string) => [assumeRedacted({ kind: "decision" as const, text })];
/** Everything here happens in one process, one after the other. */
const fields = assumeRedacted({
  type: "session",
  title: "Work",
  started: moment.at,
  status: "active",
  kind: "work",
} as const);
const noLocks: Locks = { with: async (_, work) => work(), close: () => undefined };

/** The real disk, on which an editor saves right before the n-th operation. */
class EditedDisk {
  readonly root = mkdtempSync(join(tmpdir(), "clew-editor-"));
  readonly layout: Layout = { root: this.root, sessions: join(this.root, "sessions"), home: join(this.root, "home") };
  readonly records: SessionRecords;
  #left = Infinity;
  #save = (): void => undefined;

  constructor() {
    const disk = new Proxy(nodeDisk, {
      get: (target, name: keyof Disk) => {
        const operation = target[name] as (...args: unknown[]) => unknown;
        return (...args: unknown[]) => {
          if (--this.#left === 0) this.#save();
          return operation(...args);
        };
      },
    });
    this.records = sessionRecords({
      disk,
      layout: this.layout,
      locks: async () => noLocks,
      clock: { now: () => Date.now() },
      readBlob: () => undefined,
      boot: "this one",
      isElsewhere: () => false,
      redact: async () => assumeRedacted,
    });
  }

  /** False when so many operations never came. */
  get hasSaved(): boolean {
    return this.#left <= 0;
  }

  saveBefore(operation: number, save: () => void): void {
    this.#left = operation;
    this.#save = save;
  }

  [Symbol.dispose](): void {
    rmSync(this.root, { recursive: true, force: true });
  }
}

const works: Record<string, (record: RecordWriter) => Promise<unknown>> = {
  "an entry": (record) => record.append(said("last"), moment),
  "an entry and a save point": async (record) => {
    await record.append(said("last"), moment);
    await record.save();
  },
  "a status": async (record) => {
    await record.set(assumeRedacted({ status: "paused", resume_point: "phase-1" }));
    await record.append(said("last"), moment);
  },
  "a title": async (record) => {
    await record.rename(assumeRedacted("A much better name for it"));
    await record.append(said("last"), moment);
  },
  "a later text of an entry": async (record) => {
    await record.amend("\n> [!decision]\n> two\n", assumeRedacted("\n> [!decision]\n> two\n> and a half\n"));
    await record.append(said("last"), moment);
  },
};

for (const [kind, save] of Object.entries(editorSaves)) {
  for (const [what, work] of Object.entries(works)) {
    test(`S7 an editor that saves an older text ${kind} while ${what} is written takes nothing away`, async () => {
      for (let operation = 1; ; operation++) {
        using edited = new EditedDisk();
        const { records } = edited;
        const id = await records.create("work", fields);
        await records.change(id, (record) =>
          record.append([assumeRedacted({ kind: "phase", title: "One" }), ...said("one")], moment),
        );
        const opened = readFileSync(records.path(id), "utf8");
        await records.change(id, (record) => record.append([...said("two"), ...said("three")], moment));
        edited.saveBefore(operation, () => save(records.path(id), `${opened}\nA note of mine.\n`));
        await records.change(id, work);
        const isDone = !edited.hasSaved;
        edited.saveBefore(Infinity, () => undefined);
        const { text } = await records.read(id);
        const there = ["one", "two", "three", "last"].filter((each) => text.includes(`> ${each}\n`));
        expect([operation, there]).toEqual([operation, ["one", "two", "three", "last"]]);
        expect([operation, text.split("> last\n").length]).toEqual([operation, 2]);
        if (isDone) break;
        expect([operation, text.includes("A note of mine.")]).toEqual([operation, true]);
      }
    });
  }
}

test("S7 a file that another program changes over and over is left alone, and that is told", async () => {
  using edited = new EditedDisk();
  const { records } = edited;
  const id = await records.create("work", fields);
  let count = 0;
  const again = (): void => {
    writeFileSync(records.path(id), `${readFileSync(records.path(id), "utf8")}\nNote ${++count}.\n`);
    edited.saveBefore(1, again);
  };
  edited.saveBefore(1, again);
  const logging = records.change(id, (record) => record.append(said("last"), moment));
  await expect(logging).rejects.toMatchObject({
    code: "locked",
    message: expect.stringContaining("session.md") as string,
  });
});

test("S7 a body that is asked for while git takes the file away is the one that was logged", async () => {
  using edited = new EditedDisk();
  const { records } = edited;
  const id = await records.create("work", fields);
  const body = await records.change(id, async (record) => {
    await record.append(said("one"), moment);
    rmSync(records.path(id));
    return record.body();
  });
  expect(body).toContain("\n> [!decision]\n> one\n");
  expect(body.startsWith("\n# Work\n")).toBe(true);
});

test("S1 an id whose copy turns out to be another's is left to it, and the session gets the next one", async () => {
  using edited = new EditedDisk();
  const { records, layout } = edited;
  const theirs = join(layout.home, "live", "work.jsonl");
  // Somebody else makes it between the look and the writing.
  edited.saveBefore(7, () => writeFileSync(theirs, "theirs\n"));
  const id = await records.create("work", fields);
  expect([id, readFileSync(theirs, "utf8")]).toEqual(["work-2", "theirs\n"]);
  expect((await records.read(id)).frontmatter.session_id).toBe("work-2");
});

test("S7 an editor that empties the file before it writes keeps what a person typed", async () => {
  using edited = new EditedDisk();
  const { records } = edited;
  const id = await records.create("work", fields);
  await records.change(id, (record) => record.append(said("one"), moment));
  const text = readFileSync(records.path(id), "utf8");
  const fd = openSync(records.path(id), "w");
  const logging = records.change(id, (record) => record.append(said("last"), moment));
  // A busy disk lets an editor wait between the two.
  await new Promise((done) => setTimeout(done, 150));
  writeSync(fd, `${text}\nA note of mine.\n`);
  closeSync(fd);
  await logging;
  const { text: after } = await records.read(id);
  expect(["> one\n", "A note of mine.", "> last\n"].map((each) => after.split(each).length)).toEqual([2, 2, 2]);
});

test("S13 a part of a body is read from its place in the file as it is, also when a new file has the old one's inode", async () => {
  using edited = new EditedDisk();
  const { records } = edited;
  const id = await records.create("work", fields);
  await records.change(id, (record) => record.append(said("one"), moment));
  const place = await records.bodyPlace(id);
  const text = readFileSync(records.path(id), "utf8");
  // Written in place, the file keeps its inode, as a new one may get that of a file that is gone.
  writeFileSync(records.path(id), text.replace("title: Work", "title: Work that has a longer name"));
  expect(records.readBody(id, place, 0)).toBe(text.slice(text.indexOf("\n# Work")));
});

test("D6 settings that an editor has emptied by now are not taken for what it saves", async () => {
  using edited = new EditedDisk();
  const file = join(edited.root, "config.yaml");
  writeFileSync(file, "save: tool\n");
  writeFileSync(join(edited.root, "saved"), "save: tool\nidle_timeout: 2h\n");
  const script = ": > config.yaml; sleep 0.1; cat saved > config.yaml";
  const ended = once(spawn("sh", ["-c", script], { cwd: edited.root }), "exit");
  while (statSync(file).size !== 0);
  await setConfig({ disk: nodeDisk, file, withLock: (work) => work() }, "channel", "ops");
  await ended;
  expect(readFileSync(file, "utf8")).toBe("save: tool\nidle_timeout: 2h\nchannel: ops\n");
});
