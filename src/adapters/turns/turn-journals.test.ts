import {
  chmodSync,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { Folder } from "../../../test/support/folders.ts";
import { FilesChanged, type FileContent, type TurnJournal, type WorkFiles } from "../../app/turn/execution/ports.ts";
import type { Layout } from "../layout.ts";
import { nodeDisk } from "../files/node-disk.ts";
import { sha256Of } from "../layout/file-names.ts";
import { turnJournals } from "./turn-journals.ts";
import { workFiles } from "./work-files.ts";

const at = "2026-11-18T10:00:00.000Z";

function content(text: string, mode = 0o644): FileContent {
  const bytes = Buffer.from(text);
  return { bytes, sha256: sha256Of(bytes), mode };
}

const session = "2026-11-18-work";

function placeIn(folder: Folder): { root: string; layout: Layout; files: WorkFiles } {
  const root = join(folder.path, "root");
  mkdirSync(root);
  const layout = { root, sessions: join(root, ".clew/sessions"), home: join(folder.path, "home") };
  return { root, layout, files: workFiles({ root, reserved: [] }) };
}

function journalIn(folder: Folder): { journal: TurnJournal; files: WorkFiles; path: (name: string) => string } {
  const { root, layout, files } = placeIn(folder);
  const journal = turnJournals({ disk: nodeDisk, layout, files }).begin(session, "01", "execute", at);
  return { journal, files, path: (name) => join(root, name) };
}

test("T5 a file that changed since it was looked at is refused, and no file of the batch is written", () => {
  using folder = new Folder();
  const { journal, path } = journalIn(folder);
  writeFileSync(path("a"), "changed");
  const writes = [
    { path: "new/b", before: null, after: content("b") },
    { path: "a", before: content("as shown"), after: content("planned") },
  ];
  expect(() => journal.apply(writes, at)).toThrow(FilesChanged);
  expect([readFileSync(path("a"), "utf8"), existsSync(path("new"))]).toEqual(["changed", false]);
  writeFileSync(path("c"), "mine");
  expect(() => journal.apply([{ path: "c", before: null, after: content("made") }], at)).toThrow(FilesChanged);
  expect(readFileSync(path("c"), "utf8")).toBe("mine");
});

test("T5 a link that came in the place of a folder is not followed", () => {
  using folder = new Folder();
  const { journal, path } = journalIn(folder);
  mkdirSync(join(folder.path, "outside"));
  symlinkSync(join(folder.path, "outside"), path("deep"));
  expect(() => journal.apply([{ path: "deep/a", before: null, after: content("a") }], at)).toThrow(FilesChanged);
  expect(existsSync(join(folder.path, "outside/a"))).toBe(false);
});

test("T5 batches are taken back in reverse, with rights and folders, and what another changed stays", async () => {
  using folder = new Folder();
  const { journal, path } = journalIn(folder);
  writeFileSync(path("run"), "one");
  chmodSync(path("run"), 0o755);
  journal.apply([{ path: "run", before: content("one", 0o755), after: content("two", 0o755) }], at);
  journal.apply(
    [
      { path: "run", before: content("two", 0o755), after: content("three", 0o755) },
      { path: "x/y/made", before: null, after: content("made") },
    ],
    at,
  );
  expect(journal.changes("execute")).toMatchObject([
    { path: "run", before: { sha256: sha256Of("one") }, after: { sha256: sha256Of("three") } },
    { path: "x/y/made", before: null },
  ]);
  expect(await journal.takeBack("execute", at)).toEqual({ restored: ["run", "x/y/made"], kept: [], commands: [] });
  expect([readFileSync(path("run"), "utf8"), statSync(path("run")).mode & 0o777]).toEqual(["one", 0o755]);
  expect(existsSync(path("x"))).toBe(false);
});

test("T5 what could not be taken back is not told as taken back, and the next command takes it back", async () => {
  using folder = new Folder();
  const { root, layout, files } = placeIn(folder);
  writeFileSync(join(root, "a"), "old a");
  writeFileSync(join(root, "b"), "old b");
  const contents = join(layout.home, "turns", session, "01/contents");
  let looks = 0;
  // When the second file takes its place, another program has changed it, and what the first one held cannot be read.
  const racing: WorkFiles = {
    ...files,
    look(path) {
      if (path === "b" && ++looks === 2) {
        writeFileSync(join(root, "b"), "mine");
        renameSync(join(contents, sha256Of("old a")), join(contents, "away"));
      }
      return files.look(path);
    },
  };
  const begun = turnJournals({ disk: nodeDisk, layout, files: racing }).begin(session, "01", "execute", at);
  const writes = ["a", "b"].map((path) => ({
    path,
    before: content(`old ${path}`),
    after: content(`new ${path}`),
  }));
  expect(() => begun.apply(writes, at)).toThrow(sha256Of("old a"));
  expect(begun.lines().map(({ type }) => type)).toEqual(["begun", "batch"]);
  expect(readFileSync(join(root, "a"), "utf8")).toBe("new a");
  renameSync(join(contents, "away"), join(contents, sha256Of("old a")));
  const journal = turnJournals({ disk: nodeDisk, layout, files }).of(session, "01");
  expect(await journal.takeBack("execute", at)).toEqual({ restored: ["a"], kept: ["b"], commands: [] });
  expect([readFileSync(join(root, "a"), "utf8"), readFileSync(join(root, "b"), "utf8")]).toEqual(["old a", "mine"]);
});

test("T5 paths that lead elsewhere are refused with a sentence", () => {
  using folder = new Folder();
  const { files, path } = journalIn(folder);
  mkdirSync(path("Folder"));
  const reasons = [
    "/etc/passwd",
    "../a",
    "a//b",
    ".git/config",
    ".GIT/config",
    "sub/.git./x",
    "git~1/x",
    "folder/a",
    "Folder",
    "n".repeat(300),
  ].map((name) => files.look(name));
  expect(reasons.map(({ kind }) => kind)).toEqual(reasons.map(() => "refused"));
  expect(files.look("Folder/a")).toEqual({ kind: "missing" });
  expect(files.look("not/there/a")).toEqual({ kind: "missing" });
});
