import { execFileSync } from "node:child_process";
import { appendFileSync, existsSync, mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { Repo, textsOf } from "../support/repo.ts";

const said = (...texts: string[]) => texts.map((text) => ({ kind: "text", text }));
const git = (cwd: string, ...args: string[]) =>
  execFileSync("git", ["-C", cwd, "-c", "user.email=a@example.com", "-c", "user.name=A", ...args], {
    encoding: "utf8",
    stdio: ["ignore", "pipe", "ignore"],
  });

describe("S1 repositories of every kind", () => {
  test("S1 sessions of a fresh clone can be shown, logged to, paused and found", async () => {
    using repo = new Repo();
    const id = await repo.clew("session", "start", "Shared");
    await repo.log(id, ...said("one"));
    repo.git("add", "-A");
    repo.git("commit", "-qm", "shared");
    // What stands under .git/clew stays on the machine where it was made.
    rmSync(repo.home, { recursive: true });
    await repo.log(id, ...said("two"));
    await repo.clew("session", "pause", id);
    expect(textsOf(await repo.show(id))).toEqual(["one", "two"]);
    expect(await repo.clew("search", "two")).toContain(`${id}/session.md:`);
  });

  test("S1 a first session before the first commit names no commit, and the next ones do", async () => {
    using repo = new Repo();
    rmSync(join(repo.root, ".git"), { recursive: true });
    repo.git("init", "-q", "-b", "trunk");
    const id = await repo.clew("session", "start", "Early");
    expect((await repo.show(id)).frontmatter).toMatchObject({ branch: "trunk" });
    expect((await repo.show(id)).frontmatter.commit).toBeUndefined();
    git(repo.root, "add", "-A");
    git(repo.root, "commit", "-qm", "first");
    await repo.log(id, { kind: "phase", title: "Now" });
    expect((await repo.show(id)).phases[0]!.commit).toBe(repo.git("rev-parse", "HEAD").trim());
  });

  test("S1 a detached HEAD has a commit and no branch; packed refs are read", async () => {
    using repo = new Repo();
    repo.git("pack-refs", "--all");
    const onBranch = await repo.clew("session", "start", "On a branch");
    repo.git("switch", "-q", "--detach");
    const detached = await repo.clew("session", "start", "Detached");
    const commit = repo.git("rev-parse", "HEAD").trim();
    expect((await repo.show(onBranch)).frontmatter).toMatchObject({ branch: "main", commit });
    expect((await repo.show(detached)).frontmatter).toMatchObject({ commit });
    expect((await repo.show(detached)).frontmatter.branch).toBeUndefined();
  });

  test("S1 inside a worktree the main checkout is written to", async () => {
    using repo = new Repo();
    repo.git("worktree", "add", "-q", "tree of work", "-b", "side");
    mkdirSync(join(repo.root, "tree of work/deep"));
    const { stdout } = await repo.run(["session", "start", "From the side", "--json"], {
      cwd: join(repo.root, "tree of work/deep"),
    });
    const { session_id, path } = JSON.parse(stdout) as { session_id: string; path: string };
    expect(path).toBe(repo.path(session_id));
    expect(existsSync(path)).toBe(true);
    expect(existsSync(join(repo.root, "tree of work/.clew"))).toBe(false);
  });

  test("S1 a submodule is a repository of its own", async () => {
    using repo = new Repo();
    using inner = new Repo();
    git(repo.root, "-c", "protocol.file.allow=always", "submodule", "add", "-q", inner.root, "part");
    const { stdout } = await repo.run(["session", "start", "Inside", "--json"], { cwd: join(repo.root, "part") });
    const { session_id, path } = JSON.parse(stdout) as { session_id: string; path: string };
    expect(path).toBe(join(repo.root, "part/.clew/sessions", session_id, "session.md"));
    expect(existsSync(join(repo.root, ".git/modules/part/clew/live"))).toBe(true);
    expect(existsSync(join(repo.root, ".clew"))).toBe(false);
  });

  test("S1 outside a repository, and in a bare one, every command is refused with the way in", async () => {
    using repo = new Repo();
    rmSync(join(repo.root, ".git"), { recursive: true });
    for (const args of [["session", "list"], ["session", "start", "x"], ["init"]]) {
      expect(await repo.refused(args)).toEqual({
        code: "not_a_repository",
        message: `${repo.root} is not inside a git repository`,
        hint: "go to your project, or make one here: git init && clew init",
      });
    }
    repo.git("init", "-q", "--bare");
    expect((await repo.refused(["session", "list"])).code).toBe("not_a_repository");
  });
});

describe("S7 what was acknowledged survives what git does", () => {
  test("S7 a committed session that was edited by hand, logged to, and then left with its branch comes back whole", async () => {
    using repo = new Repo();
    const id = await repo.clew("session", "start", "Whole");
    await repo.log(id, ...said("one", "two"));
    await repo.clew("session", "end", id);
    repo.git("branch", "other");
    repo.git("add", "-A");
    repo.git("commit", "-qm", "two entries");
    await repo.clew("session", "list");
    appendFileSync(repo.path(id), "\nA note of mine.\n");
    await repo.clew("session", "resume", id);
    await repo.log(id, ...said("three"));
    repo.git("switch", "-qf", "other");
    expect(textsOf(await repo.show(id))).toEqual(["one", "two", "A note of mine.", "three"]);
  });

  test("S7 an untracked session that goes into a stash is still here, also when the stash is dropped", async () => {
    using repo = new Repo();
    const id = await repo.clew("session", "start", "Stashed");
    await repo.log(id, ...said("one"));
    repo.git("stash", "-q", "--include-untracked");
    await repo.clew("session", "list");
    repo.git("stash", "drop", "-q");
    expect(textsOf(await repo.show(id))).toEqual(["one"]);
  });
});
