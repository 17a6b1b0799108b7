import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { Repo } from "../support/repo.ts";

interface Listed {
  session_id: string;
  title: string;
  status: string;
  errors: number;
}

const list = (repo: Repo, ...args: string[]) => repo.json<{ sessions: Listed[] }>("session", "list", ...args);
const edit = (repo: Repo, id: string, from: string, to: string) =>
  writeFileSync(repo.path(id), repo.read(id).replace(from, to));

/** A session that has ended and is in index and search, and in git if that is wanted. */
async function indexed(repo: Repo, when: string): Promise<string> {
  const id = await repo.clew("session", "start", "Edited");
  await repo.log(id, { kind: "text", text: "hello" });
  await repo.clew("session", "end", id);
  await repo.clew("session", "list");
  if (when === "after") {
    repo.git("add", ".clew");
    repo.git("commit", "-qm", "session");
  }
  await repo.clew("search", "hello");
  return id;
}

test.each(["before", "after"])(
  "S11 an edited entry, %s a commit, is noticed when the session is shown",
  async (when) => {
    using repo = new Repo();
    const id = await indexed(repo, when);
    edit(repo, id, "> [!agent]\n> hello\n", "> [!error]\n> goodbye\n");
    await repo.clew("session", "show", id);
    expect((await list(repo)).sessions).toMatchObject([{ errors: 1 }]);
    expect((await repo.json<{ hits: unknown[] }>("search", "goodbye")).hits).toHaveLength(1);
  },
);

test.each(["before", "after"])(
  "S11 an edited status, %s a commit, is noticed when the session is shown",
  async (when) => {
    using repo = new Repo();
    const id = await indexed(repo, when);
    edit(repo, id, "status: completed", "status: abandoned");
    await repo.clew("session", "show", id);
    expect((await list(repo)).sessions).toMatchObject([{ status: "abandoned" }]);
  },
);

test("S11 index check names what was edited and takes it over; a second one finds nothing", async () => {
  using repo = new Repo();
  const [first, second] = [await repo.clew("session", "start", "One"), await repo.clew("session", "start", "Two")];
  await repo.clew("session", "end", first);
  await repo.clew("session", "pause", second);
  await repo.clew("session", "list");
  edit(repo, first, "status: completed", "status: failed");
  expect(await repo.json("index", "check")).toEqual({ sessions: 2, changed: [first] });
  expect((await list(repo, "--status", "failed")).sessions).toMatchObject([{ session_id: first }]);
  expect(await repo.json("index", "check")).toEqual({ sessions: 2, changed: [] });
});

test("S11 edits that come with a commit from elsewhere are noticed when HEAD has moved", async () => {
  using repo = new Repo();
  const id = await repo.clew("session", "start", "Shared");
  await repo.clew("session", "end", id);
  repo.git("add", ".clew");
  repo.git("commit", "-qm", "session");
  await repo.clew("session", "list");
  const tree = join(repo.root, ".git/elsewhere");
  repo.git("worktree", "add", "-q", "-b", "other", tree);
  const there = join(tree, ".clew/sessions", id, "session.md");
  writeFileSync(
    there,
    `${readFileSync(there, "utf8").replace("title: Shared", "title: Renamed")}\n> [!error]\n> late\n`,
  );
  repo.git("-C", tree, "commit", "-qam", "edited elsewhere");
  expect((await list(repo)).sessions).toMatchObject([{ title: "Shared", errors: 0 }]);
  repo.git("merge", "-q", "other");
  expect((await list(repo)).sessions).toMatchObject([{ title: "Renamed", errors: 1 }]);
});
