import { chmodSync, existsSync, readdirSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { Repo } from "../support/repo.ts";

/** Comment lines that leave room in the frontmatter. */
const filler = /^#\.*$/m;
const head = (repo: Repo, id: string) => repo.read(id).split("\n---\n")[0]!;
const kilobytes = (count: number) => ({ kind: "text", text: "many words ".repeat(93).repeat(count) });

test("S1 a session that a person reads has no filler, whatever is logged", async () => {
  using repo = new Repo();
  const id = await repo.clew("session", "start", "Short", "--agent", "coder@2");
  const check = (): void => expect(head(repo, id)).not.toMatch(filler);
  check();
  await repo.log(id, { kind: "phase", title: "One", agent: "tester@1" }, { kind: "tokens", tokens: 5 });
  check();
  await repo.clew("session", "pause", id);
  check();
  await repo.clew("session", "end", id);
  check();
  expect(readdirSync(dirname(repo.path(id)))).toEqual(["session.md"]);
});

test("S1 a large, active session has room that its updates are written into, and loses it when it pauses", async () => {
  using repo = new Repo();
  const id = await repo.clew("session", "start", "Long");
  await repo.log(id, { kind: "phase", title: "One" }, kilobytes(300), { kind: "tokens", tokens: 1 });
  expect(head(repo, id)).toMatch(filler);
  const { ino } = statSync(repo.path(id));
  await repo.clew("session", "log", "tokens", "4", "-s", id);
  expect(head(repo, id)).toContain("\ntokens_used: 5\n");
  expect(statSync(repo.path(id)).ino).toBe(ino);
  await repo.clew("session", "pause", id);
  expect(head(repo, id)).not.toMatch(filler);
  await repo.clew("session", "log", "phase", "Two", "-s", id);
  expect(head(repo, id)).toMatch(filler);
  await repo.clew("session", "end", id);
  expect(head(repo, id)).not.toMatch(filler);
  expect((await repo.show(id)).phases.map(({ title }) => title)).toEqual(["One", "Two"]);
});

test("S1 filler of an earlier form is read, and gone after the next save point", async () => {
  using repo = new Repo();
  const id = "2026-11-01-old";
  repo.place(id, { status: "active" }, "\n# Old\n\n## One\n");
  writeFileSync(repo.path(id), repo.read(id).replace("\n---\n\n", `\n#${".".repeat(98)}\n#....\n---\n\n`));
  expect(head(repo, id)).toMatch(filler);
  await repo.clew("session", "log", "phase", "Two", "-s", id);
  expect(head(repo, id)).not.toMatch(filler);
  expect((await repo.show(id)).phases.map(({ title }) => title)).toEqual(["One", "Two"]);
});

test("S7 rights that were given to a group stay when the file is written anew", async () => {
  using repo = new Repo();
  const id = await repo.clew("session", "start", "Ours");
  chmodSync(repo.path(id), 0o664);
  await repo.clew("session", "log", "tokens", "4", "-s", id);
  expect(head(repo, id)).toContain("\ntokens_used: 4");
  expect(statSync(repo.path(id)).mode & 0o777).toBe(0o664);
});

test("S7 what a writer left that died while it wrote the file anew goes with the next save point", async () => {
  using repo = new Repo();
  const id = await repo.clew("session", "start", "Died");
  const left = join(dirname(repo.path(id)), ".session.md.4194000.new");
  writeFileSync(left, "---\ntype: sess");
  await repo.clew("session", "log", "tokens", "4", "-s", id);
  expect(existsSync(left)).toBe(false);
});
