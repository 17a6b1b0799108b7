import { appendFileSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { Repo } from "../support/repo.ts";

interface Hit {
  session_id: string;
  path: string;
  line: number;
  phase: string;
  kind: string;
  excerpt: string;
}

const search = async (repo: Repo, ...args: string[]) => (await repo.json<{ hits: Hit[] }>("search", ...args)).hits;
const text = (said: string) => ({ kind: "text", text: said });
const lineOf = ({ path, line }: Hit) => readFileSync(path, "utf8").split("\n")[line - 1];

test("S12 a hit names file and line of what matched, newest session and last entry first", async () => {
  using repo = new Repo();
  const older = await repo.clew("session", "start", "Older");
  await repo.log(older, { kind: "phase", title: "A needle phase" }, { kind: "tool", name: "grep", args: "needle" });
  const newer = await repo.clew("session", "start", "Newer");
  await repo.log(
    newer,
    { kind: "tool", name: "cat", args: "x", result: "Needle!" },
    { kind: "tool", name: "needle", args: "" },
  );
  const hits = await search(repo, "needle");
  expect(hits.map(({ session_id, kind, phase }) => [session_id, kind, phase])).toEqual([
    [newer, "tool", "Start"],
    [newer, "tool", "Start"],
    [older, "tool", "A needle phase"],
    [older, "phase", "A needle phase"],
  ]);
  expect(hits.map(lineOf)).toEqual(["- `needle`", "- `cat x` → Needle!", "- `grep needle`", "## A needle phase #dev"]);
  expect(await search(repo, "needle", "--limit", "3")).toEqual(hits.slice(0, 3));
  expect(await search(repo, "needle", "-s", older)).toEqual(hits.slice(2));
  expect(await repo.clew("search", "needle")).toContain(`.clew/sessions/${older}/session.md:${hits[2]!.line}  `);
});

test("S12 in an entry of many lines a hit names the line on which the words stand", async () => {
  using repo = new Repo();
  const id = await repo.clew("session", "start", "Lines");
  await repo.log(id, text("one\ntwo\na needle in three\nfour"), { kind: "tool", name: "run", args: "a\nb\nneedle" });
  appendFileSync(repo.path(id), "\nA note\nof mine, with a needle\n");
  await repo.clew("session", "show", id);
  expect((await search(repo, "needle")).map(lineOf)).toEqual([
    "of mine, with a needle",
    "  needle",
    "> a needle in three  ",
  ]);
});

test("S12 words, phrases, prefixes and parts of Chinese or Japanese text are found", async () => {
  using repo = new Repo();
  const id = await repo.clew("session", "start", "Words");
  await repo.log(
    id,
    text("the quick brown fox"),
    text("quick fox, Café-Crème"),
    text("修复登录页面的错误"),
    text("foxes"),
  );
  const found = async (...query: string[]) => (await search(repo, ...query)).map(({ excerpt }) => excerpt);
  expect(await found("fox", "quick")).toEqual(["quick fox, Café-Crème", "the quick brown fox"]);
  expect(await found('"quick fox"')).toEqual(["quick fox, Café-Crème"]);
  expect(await found("fox*")).toEqual(["foxes", "quick fox, Café-Crème", "the quick brown fox"]);
  expect(await found("CAFE")).toEqual(["quick fox, Café-Crème"]);
  expect(await found("登录")).toEqual(["修复登录页面的错误"]);
  expect(await found("登错")).toEqual([]);
});

test("S12 whatever is typed is data: it finds something, nothing, or is refused as no word", async () => {
  using repo = new Repo();
  const id = await repo.clew("session", "start", "Data");
  await repo.log(id, text("foo AND bar"), text("NEAR(x, y)"));
  const hostile = [
    '"',
    '" OR 1=1',
    "foo AND",
    "NOT foo",
    "NEAR(x y)",
    "text:foo",
    "a^b*c",
    "fo*o",
    "(",
    "%",
    "'; DROP",
  ];
  for (const query of hostile) {
    const { code, stderr } = await repo.run(["search", "--", query]);
    expect([query, code === 0 || (code === 2 && stderr.startsWith("error: "))]).toEqual([query, true]);
  }
  expect((await search(repo, "and bar")).map(({ excerpt }) => excerpt)).toEqual(["foo AND bar"]);
  expect((await repo.refused(["search", "*"])).code).toBe("invalid_input");
});

test("S11 after a rebuild the same answers come in the same order", async () => {
  using repo = new Repo();
  for (const title of ["One", "Two", "Three"]) {
    const id = await repo.clew("session", "start", title);
    await repo.log(id, ...Array.from({ length: 40 }, (_, at) => text(`needle ${at} ${"filler ".repeat(at * 5)}`)));
  }
  const before = await search(repo, "needle", "--limit", "100");
  expect(before).toHaveLength(100);
  await repo.clew("index", "rebuild");
  expect(await search(repo, "needle", "--limit", "100")).toEqual(before);
});
