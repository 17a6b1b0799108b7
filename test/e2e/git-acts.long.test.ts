import { existsSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { Repo, textsOf } from "../support/repo.ts";

const text = (said: string) => ({ kind: "text", text: said });
const list = (repo: Repo) => repo.json<{ sessions: { session_id: string; status: string }[] }>("session", "list");
const copyOf = (repo: Repo, id: string) => join(repo.home, "live", `${id}.jsonl`);

function commit(repo: Repo, message: string): void {
  repo.git("add", "-A");
  repo.git("commit", "-qm", message);
}

/** A session with these entries; the first of them come with its own commit. */
async function sessionWith(repo: Repo, ...said: string[]): Promise<string> {
  const id = await repo.clew("session", "start", "Work");
  await repo.log(id, { kind: "phase", title: "Work" }, ...said.map(text));
  return id;
}

describe("S7 only a branch keeps what was committed", () => {
  test.each(["active", "ended"])("S7 an %s session that was only stashed outlives its stash", async (state) => {
    using repo = new Repo();
    const id = await sessionWith(repo, "one", "two");
    if (state === "ended") await repo.clew("session", "end", id);
    repo.git("add", "-A");
    repo.git("stash", "-q");
    expect((await list(repo)).sessions).toHaveLength(1);
    repo.git("stash", "drop", "-q");
    repo.git("clean", "-fdxq");
    expect((await list(repo)).sessions).toMatchObject([{ session_id: id }]);
    expect(textsOf(await repo.show(id))).toEqual(["one", "two"]);
  });

  test.each([
    ["a tag", ["tag", "kept"]],
    ["a note", ["update-ref", "refs/notes/commits", "HEAD"]],
    ["a ref of Clew's", ["update-ref", "refs/clew/kept/x", "HEAD"]],
    ["a run's branch", ["branch", "clew/run-x"]],
    ["the reflog", ["status"]],
  ])("S7 what only %s reaches is not committed", async (_, args) => {
    using repo = new Repo();
    const id = await sessionWith(repo, "one");
    await repo.clew("session", "end", id);
    commit(repo, "all of it");
    repo.git(...args);
    repo.git("reset", "-q", "--hard", "HEAD~1");
    expect((await list(repo)).sessions).toMatchObject([{ session_id: id }]);
    expect(textsOf(await repo.show(id))).toEqual(["one"]);
    expect(existsSync(copyOf(repo, id))).toBe(true);
  });

  test("S7 what a remote branch reaches is committed", async () => {
    using repo = new Repo();
    const id = await sessionWith(repo, "one");
    await repo.clew("session", "end", id);
    commit(repo, "all of it");
    repo.git("update-ref", "refs/remotes/origin/main", "HEAD");
    repo.git("reset", "-q", "--hard", "HEAD~1");
    expect((await list(repo)).sessions).toEqual([]);
    expect(existsSync(copyOf(repo, id))).toBe(false);
  });

  test("S7 a commit that no branch has does not count, also while HEAD is on it", async () => {
    using repo = new Repo();
    repo.git("switch", "-q", "--detach");
    const id = await sessionWith(repo, "one");
    await repo.clew("session", "end", id);
    commit(repo, "on no branch");
    await list(repo);
    repo.git("switch", "-q", "main");
    expect(textsOf(await repo.show(id))).toEqual(["one"]);
  });

  test.each(["reset", "amend", "rebase"])(
    "S7 an active session's entries come back after a %s drops them",
    async (act) => {
      using repo = new Repo();
      const id = await sessionWith(repo, "one");
      commit(repo, "one");
      await repo.log(id, text("two"));
      commit(repo, "two");
      await list(repo);
      if (act === "reset") repo.git("reset", "-q", "--hard", "HEAD~1");
      if (act === "rebase") {
        repo.git("commit", "-q", "--allow-empty", "-m", "other");
        repo.git("rebase", "-q", "--onto", "HEAD~2", "HEAD~1");
      }
      if (act === "amend") {
        repo.git("checkout", "-q", "HEAD~1", "--", ".clew");
        repo.git("commit", "-q", "--amend", "--allow-empty", "-m", "nothing");
      }
      await list(repo);
      await repo.log(id, text("three"));
      const said = textsOf(await repo.show(id));
      expect(said.toSorted()).toEqual(["one", "three", "two"]);
    },
  );

  test("S7 an active session on a branch that is deleted comes back, and lists say so", async () => {
    using repo = new Repo();
    repo.git("switch", "-qc", "work");
    const id = await sessionWith(repo, "one", "two");
    commit(repo, "all of it");
    await list(repo);
    repo.git("switch", "-q", "main");
    expect((await list(repo)).sessions).toEqual([]);
    repo.git("branch", "-qD", "work");
    expect((await list(repo)).sessions).toMatchObject([{ session_id: id, status: "active" }]);
    expect(textsOf(await repo.show(id))).toEqual(["one", "two"]);
  });

  test("S7 a paused session keeps its copy when it is committed; an ended one does not", async () => {
    using repo = new Repo();
    const id = await sessionWith(repo, "one");
    await repo.clew("session", "pause", id);
    commit(repo, "paused");
    await list(repo);
    expect(existsSync(copyOf(repo, id))).toBe(true);
    await repo.clew("session", "end", id);
    commit(repo, "ended");
    await list(repo);
    expect(existsSync(copyOf(repo, id))).toBe(false);
  });

  test("S7 a session that went on after its copy went loses nothing to a reset", async () => {
    using repo = new Repo();
    const id = await sessionWith(repo, "one");
    commit(repo, "one");
    await repo.log(id, text("two"));
    await repo.clew("session", "end", id);
    commit(repo, "two");
    await list(repo);
    expect(existsSync(copyOf(repo, id))).toBe(false);
    await repo.clew("session", "resume", id);
    await repo.log(id, text("three"));
    repo.git("reset", "-q", "--hard", "HEAD~1");
    repo.git("reflog", "expire", "--expire=now", "--all");
    repo.git("gc", "-q", "--prune=now");
    expect(textsOf(await repo.show(id))).toEqual(["one", "two", "three"]);
    repo.git("reset", "-q", "--hard", "HEAD~1");
    repo.git("clean", "-fdxq");
    expect(textsOf(await repo.show(id))).toEqual(["one", "two", "three"]);
  });

  test("S7 a new title and status that no branch has come back with the session", async () => {
    using repo = new Repo();
    const id = await sessionWith(repo, "one");
    commit(repo, "one");
    repo.git("branch", "empty", "HEAD~1");
    await repo.clew("session", "rename", id, "A better name");
    await repo.clew("session", "end", id);
    repo.git("switch", "-qf", "empty");
    await list(repo);
    repo.git("clean", "-fdxq");
    repo.git("switch", "-qf", "main");
    expect((await repo.show(id)).frontmatter).toMatchObject({ title: "A better name", status: "completed" });
  });
});
