import { existsSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { parse } from "yaml";
import { Repo } from "../support/repo.ts";

const today = () => new Date().toISOString().slice(0, 10);
const head = (file: string) => /^---\n([\s\S]*?)^---\n/m.exec(file)![1]!;

test("S1 a new session has all that is known in its frontmatter, and its title as heading", async () => {
  using repo = new Repo();
  const args = ["Fix the login", "--channel", "#dev", "--agent", "@coder@2", "--model", "opus"];
  const { session_id: id, path } = await repo.json<{ session_id: string; path: string }>("session", "start", ...args);
  expect(id).toBe(`${today()}-fix-the-login`);
  expect(path).toBe(repo.path(id));
  const file = repo.read(id);
  const started = /^started: (.+)$/m.exec(file)![1]!;
  expect(new Date(started).toISOString()).toBe(started);
  expect(parse(head(file))).toEqual({
    type: "session",
    session_id: id,
    title: "Fix the login",
    status: "active",
    started,
    kind: "work",
    channel: "dev",
    model: "opus",
    participants: ["coder@2"],
    branch: "main",
    commit: repo.git("rev-parse", "HEAD").trim(),
  });
  expect(file.slice(file.lastIndexOf("---\n"))).toBe("---\n\n# Fix the login\n");
});

test("S1 what is unknown is absent, not guessed", async () => {
  using repo = new Repo();
  const id = await repo.clew("session", "start", "Bare");
  expect(head(repo.read(id))).not.toMatch(/model|participants|tokens_used|cost_usd|ended|resume_point|#/);
  const { sessions } = await repo.json<{ sessions: object[] }>("session", "list");
  expect(sessions).toMatchObject([
    { channel: "dev", model: null, participants: [], tokens_used: null, cost_usd: null },
  ]);
});

test("S1 a session always has a channel: the one given, that of the settings, or dev", async () => {
  using repo = new Repo();
  const channelOf = async (...args: string[]) =>
    /^channel: (.*)$/m.exec(repo.read(await repo.clew("session", "start", "Where", ...args)))?.[1];
  expect(await channelOf()).toBe("dev");
  repo.configure('channel: "#ops"\n');
  expect(await channelOf()).toBe("ops");
  expect(await channelOf("--channel", "here")).toBe("here");
  repo.configure("channel: two words\n");
  expect((await repo.refused(["session", "start", "Nowhere"])).message).toContain("must be one word, such as dev");
});

test("S1 titles in any script get a slug of [a-z0-9-], and keep their letters", async () => {
  using repo = new Repo();
  const titles: [title: string, slug: string | RegExp][] = [
    ["Été à Straße: Ærø", "ete-a-strasse-aero"],
    ["修复登录", /^[a-z]+(?:-[a-z]+)*$/],
    ["إصلاح تسجيل الدخول", /^[a-z]+(?:-[a-z]+)*$/],
    ["🎉🚀", /^[a-z]+(?:-[a-z]+)*$/],
    ["…!?", "session"],
    ["Don't stop", "dont-stop"],
  ];
  for (const [title, slug] of titles) {
    const id = await repo.clew("session", "start", title);
    expect(id.startsWith(`${today()}-`)).toBe(true);
    expect(id.slice(11)).toEqual(typeof slug === "string" ? slug : expect.stringMatching(slug));
    expect(repo.read(id).endsWith(`\n# ${title}\n`)).toBe(true);
  }
  const { sessions } = await repo.json<{ sessions: { title: string }[] }>("session", "list");
  expect(sessions.map(({ title }) => title)).toEqual(titles.map(([title]) => title).toReversed());
});

test("S1 a title with path tricks names a folder in the sessions folder and no other", async () => {
  using repo = new Repo();
  for (const title of ["../../etc/passwd", "/etc/passwd", "..", "a/b\\c:d", "-rf ~"]) {
    // What begins with a dash is a title only behind the end of the options.
    const id = await repo.clew("session", "start", "--", title);
    expect(id).toMatch(/^\d{4}-\d\d-\d\d-[a-z0-9]+(?:-[a-z0-9]+)*$/);
    expect(existsSync(repo.path(id))).toBe(true);
    expect(repo.read(id)).toContain(`\n# ${title}\n`);
  }
  expect(existsSync(join(repo.root, "etc"))).toBe(false);
});

test("S1 a very long title is cut, and its slug ends with a whole word", async () => {
  using repo = new Repo();
  const id = await repo.clew("session", "start", "unbelievable ".repeat(30));
  expect(id).toBe(`${today()}-unbelievable-unbelievable-unbelievable-unbelievable`);
  const { title } = (await repo.show(id)).frontmatter;
  expect([...title].length).toBeLessThanOrEqual(200);
  const oneWord = await repo.clew("session", "start", "x".repeat(5000));
  expect(oneWord.length).toBeLessThanOrEqual(80);
  expect((await repo.show(oneWord)).frontmatter.session_id).toBe(oneWord);
});

test("S1 a clash gets -2 and -3, also when the first one exists only as write-ahead copy", async () => {
  using repo = new Repo();
  const first = await repo.clew("session", "start", "Same");
  await repo.clew("session", "log", "text", "of the first", "-s", first);
  rmSync(join(repo.root, ".clew"), { recursive: true });
  expect(await repo.clew("session", "start", "same!")).toBe(`${first}-2`);
  expect(await repo.clew("session", "start", "SAME")).toBe(`${first}-3`);
  expect((await repo.show(first)).phases[0]!.entries).toEqual([{ kind: "text", text: "of the first" }]);
});

test("S1 keys that Clew does not know survive its updates, with their comments", async () => {
  using repo = new Repo();
  const id = await repo.clew("session", "start", "Mine");
  const own = "# why we did this\nticket: ABC-12 # urgent\nreviewers:\n  - {name: Ann, role: lead}\n  - Bob\n";
  writeFileSync(repo.path(id), repo.read(id).replace("kind: work\n", `kind: work\n${own}`));
  await repo.log(id, { kind: "phase", title: "One", agent: "coder@2" }, { kind: "tokens", tokens: 12 });
  await repo.clew("session", "end", id);
  expect(head(repo.read(id))).toContain(own);
  expect((await repo.show(id)).frontmatter).toMatchObject({
    ticket: "ABC-12",
    reviewers: [{ name: "Ann", role: "lead" }, "Bob"],
    status: "completed",
    tokens_used: 12,
    participants: ["coder@2"],
  });
});
