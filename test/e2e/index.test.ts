import { cpSync, existsSync, readdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { decode } from "@toon-format/toon";
import { expect, test } from "vitest";
import { Repo } from "../support/repo.ts";

interface List {
  sessions: { session_id: string; title: string; status: string; errors: number }[];
  unreadable: { path: string; reason: string }[];
}

const list = (repo: Repo, ...args: string[]) => repo.json<List>("session", "list", ...args);
const idsOf = async (repo: Repo, ...args: string[]) =>
  (await list(repo, ...args)).sessions.map(({ session_id }) => session_id);
const edit = (repo: Repo, id: string, from: string, to: string) =>
  writeFileSync(repo.path(id), repo.read(id).replace(from, to));

/** The index as it lies on disk: text by file name. */
function toonFiles(repo: Repo): Record<string, string> {
  const folder = join(repo.home, "index");
  const files = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((name) => name.endsWith(".toon"));
  return Object.fromEntries(files.toSorted().map((name) => [name, readFileSync(join(folder, name), "utf8")]));
}

test("S11 index rebuild gives the bytes that saving gave, and all of them are TOON", async () => {
  using repo = new Repo();
  const ids = [];
  for (const title of ['A, "b": c', "[3]: 修复", "true"]) ids.push(await repo.clew("session", "start", title));
  await repo.log(
    ids[0]!,
    { kind: "phase", title: "x, y", agent: "a@1" },
    { kind: "decision_needed", text: "Well,\n1: or 2?" },
    { kind: "tokens", tokens: 3 },
  );
  await repo.clew("session", "end", ids[1]!, "--status", "failed");
  await repo.clew("session", "delete", ids[2]!, "--yes");
  await repo.clew("session", "list");
  const saved = toonFiles(repo);
  expect(Object.keys(saved).length).toBeGreaterThan(1);
  for (const text of Object.values(saved)) expect(typeof decode(text)).toBe("object");
  await repo.clew("index", "rebuild");
  expect(toonFiles(repo)).toEqual(saved);
});

test("S11 a missing, cut or garbled index repairs itself without a word", async () => {
  using repo = new Repo();
  const id = await repo.clew("session", "start", "Kept");
  await repo.log(id, { kind: "text", text: "needle" });
  const known = await list(repo);
  const found = await repo.clew("search", "needle");
  const index = join(repo.home, "index");
  const shard = () =>
    join(
      index,
      Object.keys(toonFiles(repo)).find((name) => name.startsWith("shards/"))!,
    );
  const harms: (() => void)[] = [
    () => rmSync(index, { recursive: true }),
    () => rmSync(shard()),
    () => truncateSync(shard(), 40),
    () => writeFileSync(shard(), readFileSync(shard(), "utf8").replace("Kept", "Kepd")),
    () => writeFileSync(join(index, "manifest.toon"), "garbage\u0000"),
  ];
  for (const harm of harms) {
    harm();
    const listed = await repo.run(["session", "list", "--json"]);
    expect([listed.code, listed.stderr, JSON.parse(listed.stdout)]).toEqual([0, "", known]);
  }
  const search = join(repo.home, "search");
  readdirSync(search).forEach((name) => writeFileSync(join(search, name), "garbage"));
  expect(await repo.run(["search", "needle"])).toEqual({ code: 0, stdout: `${found}\n`, stderr: "" });
  rmSync(search, { recursive: true });
  expect(await repo.run(["search", "needle"])).toEqual({ code: 0, stdout: `${found}\n`, stderr: "" });
});

test("S11 a session that was copied in, and one that was removed after a commit, are noticed at once", async () => {
  using repo = new Repo();
  const id = await repo.clew("session", "start", "Original");
  await repo.log(id, { kind: "text", text: "needle" });
  await repo.clew("session", "end", id);
  const copy = "2026-01-02-copied-by-hand";
  cpSync(join(repo.root, ".clew/sessions", id), join(repo.root, ".clew/sessions", copy), { recursive: true });
  edit(repo, copy, `session_id: ${id}`, `session_id: ${copy}`);
  expect((await idsOf(repo)).toSorted()).toEqual([copy, id]);
  repo.git("add", ".clew");
  repo.git("commit", "-qm", "both");
  rmSync(join(repo.root, ".clew/sessions", id), { recursive: true });
  const { hits } = await repo.json<{ hits: { session_id: string }[] }>("search", "needle");
  expect(hits.map(({ session_id }) => session_id)).toEqual([copy]);
  expect(await idsOf(repo)).toEqual([copy]);
  expect(existsSync(repo.path(id))).toBe(false);
});

test("S11 a committed session that leaves with a branch does not come back as an untracked file", async () => {
  using repo = new Repo();
  repo.git("branch", "without");
  const id = await repo.clew("session", "start", "Stays there");
  repo.git("add", ".clew");
  repo.git("commit", "-qm", "begun");
  await repo.clew("session", "list");
  await repo.log(id, { kind: "text", text: "more" });
  await repo.clew("session", "end", id);
  repo.git("add", ".clew");
  repo.git("commit", "-qm", "all of it");
  repo.git("switch", "-q", "without");
  expect(await idsOf(repo)).toEqual([]);
  expect(existsSync(repo.path(id))).toBe(false);
  repo.git("switch", "-q", "main");
  expect(await idsOf(repo)).toEqual([id]);
});

test("S12 naming a committed session that left with its branch puts no file in the way of that branch", async () => {
  using repo = new Repo();
  repo.git("branch", "without");
  const id = await repo.clew("session", "start", "Stays there");
  await repo.clew("session", "end", id);
  repo.git("add", ".clew");
  repo.git("commit", "-qm", "all of it");
  repo.git("switch", "-q", "without");
  await repo.run(["session", "show", id]);
  expect(existsSync(repo.path(id))).toBe(false);
  repo.git("switch", "-q", "main");
});
