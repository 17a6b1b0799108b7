import { mkdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { RunStart, WorktreeRun } from "../../../app/worktree/ports.ts";
import { listWorktrees, pruneWorktrees, type WorktreeParts } from "../../../app/worktree/worktrees.ts";
import { gitWorktrees } from "./git-worktrees.ts";
import { makingReason } from "./making-mark.ts";
import { GitRepo } from "./worktrees.fixture.ts";

const over: WorktreeRun = { status: "cancelled", isOver: true, isDriven: false };

function worktreesOf(repo: GitRepo, runOf: (runId: string) => WorktreeRun | undefined = () => over): WorktreeParts {
  const startOf = (): RunStart => ({ base: null, target: "main" });
  return { port: gitWorktrees(repo.calls, repo, repo.withLock), runOf, startOf };
}

/** Why the only worktree is kept. It must still be there after a prune, and is taken once `mend` has been called. */
async function expectKept(repo: GitRepo, reason: string, mend?: () => void): Promise<void> {
  const worktrees = worktreesOf(repo);
  expect((await listWorktrees(worktrees)).worktrees.map((each) => each.kept_because)).toEqual([
    expect.stringContaining(reason),
  ]);
  const before = repo.worktrees;
  const { removed, kept } = await pruneWorktrees(worktrees, { dryRun: false });
  expect([removed, kept.map((each) => typeof each.what_to_do)]).toEqual([[], ["string"]]);
  expect(repo.worktrees).toEqual(before);
  if (!mend) return;
  mend();
  expect((await pruneWorktrees(worktrees, { dryRun: false })).kept).toEqual([]);
  expect(repo.worktrees).toEqual({ folders: [], known: [] });
}

describe("G11 prune takes", () => {
  test("G11 a clean worktree whose run is over, with its branch; a dry run only tells", async () => {
    using repo = new GitRepo();
    const folder = await repo.made();
    const worktrees = worktreesOf(repo);
    const row = {
      path: folder,
      branch: "clew/run-1",
      run: "run-1",
      bead: "proj-1",
      status: "cancelled",
      ahead: 0,
      dirty: false,
      in_use: false,
      kept_because: null,
      what_to_do: null,
    };
    expect(await listWorktrees(worktrees)).toEqual({ worktrees: [row] });
    expect(await pruneWorktrees(worktrees, { dryRun: true })).toEqual({
      dry_run: true,
      removed: [row],
      kept: [],
      branches: [],
    });
    expect(repo.worktrees.known).toEqual([folder]);
    expect(await pruneWorktrees(worktrees, { dryRun: false })).toEqual({
      dry_run: false,
      removed: [row],
      kept: [],
      branches: [],
    });
    expect(repo.worktrees).toEqual({ folders: [], known: [] });
    expect(repo.git("branch", "--list", "clew/*")).toBe("");
  });

  test("G11 one of a run that nobody knows, one whose folder is gone, one that was set aside, one never finished", async () => {
    using repo = new GitRepo();
    rmSync(await repo.made({ bead: "gone", runId: "run-1" }), { recursive: true });
    const aside = await repo.made({ bead: "moved", runId: "run-2" });
    renameSync(aside, `${aside}.run-2`);
    await repo.made({ bead: "half", runId: "run-3" });
    const entry = join(repo.commonDir, "worktrees/half");
    rmSync(join(entry, "clew.json"));
    rmSync(join(repo.root, ".worktrees/half/file"));
    writeFileSync(join(entry, "locked"), makingReason({ run: "run-3", base: repo.head() }));
    mkdirSync(join(repo.commonDir, "worktrees/rest"));
    writeFileSync(join(repo.commonDir, "worktrees/rest/locked"), makingReason({ run: "run-4", base: repo.head() }));
    expect(
      (
        await pruneWorktrees(
          worktreesOf(repo, () => undefined),
          { dryRun: false },
        )
      ).kept,
    ).toEqual([]);
    expect(repo.worktrees).toEqual({ folders: [], known: [] });
    expect(repo.git("branch", "--list", "clew/*")).toBe("");
  });

  test("G11 ignored files and unchanged copies are no work", async () => {
    using repo = new GitRepo();
    repo.write(".gitignore", "node_modules\n");
    repo.commit("ignore");
    repo.write("local", "copied");
    const folder = await repo.made({ copy: ["local"] });
    mkdirSync(join(folder, "node_modules"));
    writeFileSync(join(folder, "node_modules/x"), "x");
    writeFileSync(join(folder, "local"), "changed");
    await expectKept(repo, "not committed: local", () => writeFileSync(join(folder, "local"), "copied"));
  });

  test("G11 merged work, whatever became of the target", async () => {
    using repo = new GitRepo();
    const folder = await repo.made();
    repo.commit("work", folder);
    await expectKept(repo, "1 commit is not in main", () => void repo.git("merge", "-q", "clew/run-1"));
  });
});

describe("G11 prune leaves", () => {
  test("G11 what somebody else made", async () => {
    using repo = new GitRepo();
    repo.git("worktree", "add", "-q", "-b", "mine", ".worktrees/mine");
    repo.git("worktree", "add", "-q", "-b", "clew/mine", "elsewhere");
    repo.git("worktree", "add", "-q", "-b", "gone", "gone");
    rmSync(join(repo.root, "gone"), { recursive: true });
    mkdirSync(join(repo.root, ".worktrees/folder"));
    const before = repo.worktrees;
    expect(await pruneWorktrees(worktreesOf(repo), { dryRun: false })).toEqual({
      dry_run: false,
      removed: [],
      kept: [],
      branches: [],
    });
    expect(repo.worktrees).toEqual(before);
    expect(before.known).toHaveLength(3);
  });

  test.each([
    [{ status: "running", isOver: false, isDriven: true } as const, "its run is at work"],
    [{ status: "completed", isOver: true, isDriven: true } as const, "its run is at work"],
    [{ status: "blocked", isOver: false, isDriven: false } as const, "its run is blocked"],
    [{ status: "interrupted", isOver: false, isDriven: false } as const, "its run is interrupted"],
  ])("G11 one in use: %j", async (run, reason) => {
    using repo = new GitRepo();
    await repo.made();
    const { kept } = await pruneWorktrees(
      worktreesOf(repo, () => run),
      { dryRun: false },
    );
    expect(kept).toMatchObject([{ in_use: true, kept_because: reason }]);
    expect(repo.worktrees.folders).toEqual(["proj-1"]);
  });

  test("G11 one whose run came to life between the look and the lock", async () => {
    using repo = new GitRepo();
    await repo.made();
    let asked = 0;
    const worktrees = worktreesOf(repo, () =>
      asked++ < 2 ? over : { status: "running", isOver: false, isDriven: true },
    );
    expect((await pruneWorktrees(worktrees, { dryRun: false })).kept).toMatchObject([
      { kept_because: "its run is at work" },
    ]);
    expect(repo.worktrees.folders).toEqual(["proj-1"]);
  });

  test("G11 changes: modified, staged, untracked, deleted, also where settings hide them", async () => {
    using repo = new GitRepo();
    const folder = await repo.made();
    repo.git("config", "status.showUntrackedFiles", "no");
    repo.git("config", "core.fsmonitor", "false");
    writeFileSync(join(folder, "new\nfile"), "x");
    await expectKept(repo, "not committed: new\nfile");
    repo.gitIn(folder, "add", "new\nfile");
    await expectKept(repo, "not committed: new\nfile");
    repo.gitIn(folder, "rm", "-q", "--cached", "-f", "new\nfile");
    rmSync(join(folder, "new\nfile"));
    rmSync(join(folder, "file"));
    await expectKept(repo, "not committed: file");
    repo.gitIn(folder, "checkout", "-q", "file");
    mkdirSync(join(folder, "inner"));
    repo.gitIn(join(folder, "inner"), "init", "-q");
    repo.commit("of its own", join(folder, "inner"));
    await expectKept(repo, "not committed: inner/", () => rmSync(join(folder, "inner"), { recursive: true }));
  });

  test("G11 commits on a detached HEAD", async () => {
    using repo = new GitRepo();
    const folder = await repo.made();
    repo.gitIn(folder, "checkout", "-q", "--detach");
    repo.commit("work", folder);
    await expectKept(repo, "1 commit is not in main", () => void repo.gitIn(folder, "checkout", "-q", "clew/run-1"));
  });

  test("G11 commits whose base and target are gone", async () => {
    using repo = new GitRepo();
    await repo.made();
    rmSync(join(repo.commonDir, "worktrees/proj-1/clew.json"));
    await expectKept(repo, "git cannot tell what only its branch has");
  });

  test("G11 a merge under way", async () => {
    using repo = new GitRepo();
    const folder = await repo.made();
    repo.commit("main goes on");
    repo.gitIn(folder, "merge", "-q", "--no-ff", "--no-commit", "main");
    await expectKept(repo, "a merge is under way", () => void repo.gitIn(folder, "merge", "--abort"));
  });

  test("G11 one that a person locked, moved away or broke", async () => {
    using repo = new GitRepo();
    const folder = await repo.made();
    repo.git("worktree", "lock", folder);
    await expectKept(repo, "it is locked");
    repo.git("worktree", "unlock", folder);
    repo.git("worktree", "move", folder, "elsewhere");
    await expectKept(repo, "it was moved out of .worktrees");
    repo.git("worktree", "move", "elsewhere", folder);
    rmSync(join(folder, ".git"));
    await expectKept(repo, "has lost its .git file", () => void repo.git("worktree", "repair"));
  });

  test("G11 commits in a submodule that no remote has", async () => {
    using repo = new GitRepo();
    repo.addSubmodule();
    const folder = await repo.made();
    repo.gitIn(folder, "submodule", "--quiet", "update", "--init");
    repo.git("config", "diff.ignoreSubmodules", "all");
    writeFileSync(join(folder, "sub/inner"), "changed\n");
    await expectKept(repo, "not committed: sub");
    repo.commit("inner work", join(folder, "sub"));
    await expectKept(repo, "not committed: sub");
    repo.git("config", "--unset", "diff.ignoreSubmodules");
    repo.commit("outer work", folder);
    repo.git("merge", "-q", "clew/run-1");
    await expectKept(repo, "sub has commits that no remote has", () => {
      repo.gitIn(join(folder, "sub"), "push", "-q", "origin", "HEAD:refs/heads/work");
    });
  });
});
