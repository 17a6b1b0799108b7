import { existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { Removal } from "../../../app/worktree/ports.ts";
import type { GitCalls } from "../git-calls.ts";
import { removeWorktree, sweepRubbish } from "./remove-worktree.ts";
import { dieEverywhere, GitRepo } from "./worktrees.fixture.ts";

/** As after a merge or a cancel: whatever is in it. */
function remove(repo: GitRepo, git: GitCalls = repo.calls): Promise<Removal> {
  const { withLock } = repo;
  return removeWorktree(git, repo, ({ run }) => run === "run-1", { withLock, reasonToKeep: () => undefined });
}

function branches(repo: GitRepo): string {
  return repo.git("branch", "--list", "clew/*", "--format=%(refname:short)");
}

describe("G11 removing a worktree", () => {
  test("G11 folder, branch and git's own folder go", async () => {
    using repo = new GitRepo();
    const folder = await repo.made();
    expect(await remove(repo)).toEqual({ kind: "removed", folder, branchKept: null, commit: null });
    expect(repo.worktrees).toEqual({ folders: [], known: [] });
    expect([branches(repo), existsSync(join(repo.commonDir, "worktrees/proj-1"))]).toEqual(["", false]);
    expect(await remove(repo)).toEqual({ kind: "none" });
  });

  test("G11 a branch stays while something on it is nowhere else", async () => {
    using repo = new GitRepo();
    const folder = await repo.made();
    repo.commit("work", folder);
    expect(await remove(repo)).toEqual({
      kind: "removed",
      folder,
      branchKept: { branch: "clew/run-1", reason: "it has commits that are nowhere else" },
      commit: null,
    });
    expect(branches(repo)).toBe("clew/run-1\n");
  });

  test("G11 a branch that was merged goes, also when it is one of many commits", async () => {
    using repo = new GitRepo();
    const folder = await repo.made();
    repo.commit("work", folder);
    repo.git("merge", "-q", "--no-ff", "-m", "merge", "clew/run-1");
    expect(await remove(repo)).toMatchObject({ branchKept: null, commit: null });
    expect(branches(repo)).toBe("");
  });

  test("G11 a branch that the main checkout is on stays", async () => {
    using repo = new GitRepo();
    await repo.made();
    repo.git("checkout", "-q", "--ignore-other-worktrees", "clew/run-1");
    expect(await remove(repo)).toMatchObject({
      kind: "removed",
      branchKept: { branch: "clew/run-1", reason: "it is checked out elsewhere" },
    });
  });

  test("G11 a branch that git cannot delete stays, and git's own reason is told", async () => {
    using repo = new GitRepo();
    await repo.made();
    // What a git leaves that was killed while it deleted another branch.
    writeFileSync(join(repo.commonDir, "packed-refs.lock"), "");
    const { branchKept } = (await remove(repo)) as Extract<Removal, { kind: "removed" }>;
    expect(branchKept?.reason).toMatch(/^git did not delete it: .*packed-refs\.lock/);
    expect(branches(repo)).toBe("clew/run-1\n");
  });

  test("G11 with submodules in it", async () => {
    using repo = new GitRepo();
    repo.addSubmodule();
    const folder = await repo.made();
    repo.gitIn(folder, "submodule", "--quiet", "update", "--init");
    expect(repo.read(folder, "sub/inner")).toBe("inner\n");
    expect(await remove(repo)).toMatchObject({ kind: "removed" });
    expect(repo.worktrees).toEqual({ folders: [], known: [] });
    expect(repo.read(repo.root, "sub/inner")).toBe("inner\n");
  });

  test("G11 one that a person locked, took away or broke stays, whatever the caller wants", async () => {
    using repo = new GitRepo();
    const folder = await repo.made();
    repo.git("worktree", "lock", "--reason", "mine", folder);
    expect(await remove(repo)).toEqual({ kind: "kept", reason: "it is locked: mine" });
    repo.git("worktree", "unlock", folder);
    repo.git("worktree", "move", folder, join(repo.root, "elsewhere"));
    expect(await remove(repo)).toEqual({ kind: "kept", reason: "it was moved out of .worktrees" });
    repo.git("worktree", "move", join(repo.root, "elsewhere"), folder);
    rmSync(join(folder, ".git"));
    expect(await remove(repo)).toEqual({ kind: "kept", reason: "its folder has lost its .git file" });
    expect(repo.read(folder, "file")).toBe("one\n");
  });

  test("G11 cut off anywhere, it is gone on with", async () => {
    using repo = new GitRepo();
    let folder = await repo.made();
    const deaths = await dieEverywhere(
      () => repo.calls,
      (git) => remove(repo, git),
      async () => {
        await remove(repo);
        await sweepRubbish(repo);
        expect([repo.worktrees, branches(repo)]).toEqual([{ folders: [], known: [] }, ""]);
        folder = await repo.made();
      },
    );
    expect(deaths).toBeGreaterThan(4);
    renameSync(folder, join(repo.root, ".worktrees/.removed-proj-1-x"));
    repo.git("update-ref", "-d", "refs/heads/clew/run-1");
    expect(await remove(repo)).toMatchObject({ kind: "removed", branchKept: null, commit: null });
    expect(repo.worktrees).toEqual({ folders: [], known: [] });
  });

  test("G11 what is swept is only what a removal left", async () => {
    using repo = new GitRepo();
    const folder = await repo.made();
    for (const name of [".removed-x-1", "mine", ".mine"]) mkdirSync(join(repo.root, ".worktrees", name));
    writeFileSync(join(repo.root, ".worktrees/.removed-x-1/file"), "");
    await sweepRubbish(repo);
    expect(repo.worktrees).toEqual({ folders: [".mine", "mine", "proj-1"], known: [folder] });
  });
});
