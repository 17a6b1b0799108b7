import { readdirSync, readFileSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "@photostructure/sqlite";
import { expect, test } from "vitest";
import { Repo, textsOf } from "../support/repo.ts";

/** Holds the locks of all sessions, as a writer does that was stopped in the middle of its work. */
function holdSessions(repo: Repo): () => void {
  const folder = join(repo.root, ".git/clew/locks");
  const files = readdirSync(folder).filter((name) => /^session-.*\.lock$/.test(name));
  expect(files).not.toEqual([]);
  const held = files.map((name) => {
    const lock = new DatabaseSync(join(folder, name));
    lock.exec("BEGIN IMMEDIATE");
    return lock;
  });
  return () => held.forEach((lock) => lock.close());
}

test("S7 a writer that was stopped keeps nobody from reading, and what was logged is shown", async () => {
  using repo = new Repo();
  const id = await repo.clew("session", "start", "Held");
  await repo.log(id, { kind: "decision", text: "kept" });
  const letGo = holdSessions(repo);
  try {
    // The state cannot be trusted any more: the files have to be compared.
    utimesSync(repo.path(id), new Date(), new Date());
    expect(textsOf(await repo.show(id))).toEqual(["kept"]);
    expect(await repo.clew("session", "list")).toContain(id);
    expect(await repo.clew("search", "kept")).toContain(id);
  } finally {
    letGo();
  }
});

test("S4 S12 answers that leave out an unreadable session say so", async () => {
  using repo = new Repo();
  const id = await repo.clew("session", "start", "Conflict");
  await repo.log(id, { kind: "decision_needed", text: "drop uniqueword?" });
  const marks = "<<<<<<< ours\nx\n=======\ny\n>>>>>>> theirs\n";
  writeFileSync(repo.path(id), repo.read(id) + marks);
  for (const args of [["inbox"], ["search", "uniqueword"], ["session", "stats", "--by", "status"]]) {
    const { code, stderr } = await repo.run(args);
    expect(code).toBe(0);
    expect(stderr).toContain("1 session cannot be read and is left out: clew session list tells why");
  }
});

test("S5 what a subagent counted stays in its parent through git checkout", async () => {
  using repo = new Repo();
  const parent = await repo.clew("session", "start", "Parent");
  const child = await repo.clew("session", "log", "subagent", "--agent", "k@1", "--mode", "link", "-s", parent);
  await repo.log(child, { kind: "tokens", tokens: 100 });
  repo.git("add", "-A");
  repo.git("-c", "user.name=a", "-c", "user.email=a@b", "commit", "-q", "-m", "one");
  await repo.log(child, { kind: "tokens", tokens: 50 });
  repo.git("checkout", "--", ".");
  expect((await repo.show(parent)).frontmatter.subagents).toMatchObject([{ session: child, tokens: 150 }]);
  await repo.log(parent, { kind: "text", text: "on" });
  expect((await repo.show(parent)).frontmatter.subagents).toMatchObject([{ session: child, tokens: 150 }]);
});

test("S7 a line of the write-ahead copy that is JSON of a wrong kind is passed over like one that is none", async () => {
  using repo = new Repo();
  const id = await repo.clew("session", "start", "Harmed");
  await repo.log(id, { kind: "text", text: "whole" });
  const copy = join(repo.root, ".git/clew/live", `${id}.jsonl`);
  const lines = [
    '{"n":4,"text":5}',
    '{"n":5,"set":null}',
    '{"n":6,"set":{"title":null}}',
    '{"n":7,"amends":"1","text":7}',
  ];
  writeFileSync(copy, `${readFileSync(copy, "utf8")}${lines.join("\n")}\n`);
  expect(textsOf(await repo.show(id))).toEqual(["whole"]);
  await repo.log(id, { kind: "text", text: "more" });
  expect(textsOf(await repo.show(id))).toEqual(["whole", "more"]);
  expect((await repo.run(["doctor", "--json"])).stdout).toContain(id);
});

test("S11 a file where a folder belongs is named, not told as a fault of the program", async () => {
  using repo = new Repo();
  await repo.clew("init");
  writeFileSync(join(repo.root, ".git/clew/open"), "");
  const { code, stderr } = await repo.run(["session", "start", "In the way"]);
  expect(code).toBe(2);
  expect(stderr).toContain("a file is in the way, where a folder belongs");
  expect(stderr).not.toContain("unexpected");
});

test("D7 a secret behind a dash or an underscore is one all the same", async () => {
  using repo = new Repo();
  const secret = ["AKIA", "ABCDEFGHIJ234567"].join("");
  const id = await repo.clew("session", "start", "Dashes", "--model", `m-${secret}`);
  await repo.log(id, { kind: "decision", text: `key-${secret} and key_${secret}` });
  expect(repo.read(id)).not.toContain(secret);
});

test("D6 a word with signs that YAML reads is no channel", async () => {
  using repo = new Repo();
  for (const value of ["a: b", "{a: b}", "[a]", "a\u001b[31m"]) {
    expect((await repo.refused(["config", "set", "channel", value])).code).toBe("invalid_config");
  }
});

test("G11 worktree remove takes nothing that no run made, by no force", async () => {
  using repo = new Repo();
  writeFileSync(join(repo.root, "a"), "a\n");
  repo.git("add", "-A");
  repo.git("-c", "user.name=a", "-c", "user.email=a@b", "commit", "-q", "-m", "one");
  await repo.clew("init");
  repo.git("worktree", "add", "-q", "-b", "clew/mine", ".worktrees/mine");
  repo.git("branch", "clew/other");
  writeFileSync(join(repo.root, ".worktrees/mine/precious"), "p");
  for (const name of ["mine", "other"]) {
    const { code, stderr } = await repo.run(["worktree", "remove", name, "--force"]);
    expect([name, code]).toEqual([name, 2]);
    expect(stderr).toMatch(/no run is known that made|there is no worktree/);
  }
  expect(readFileSync(join(repo.root, ".worktrees/mine/precious"), "utf8")).toBe("p");
  expect(repo.git("branch", "--list", "clew/other")).toContain("clew/other");
});
