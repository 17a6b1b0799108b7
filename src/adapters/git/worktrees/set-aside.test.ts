import { mkdirSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { GitCalls } from "../git-calls.ts";
import { setAside } from "./set-aside.ts";
import { dieEverywhere, GitRepo } from "./worktrees.fixture.ts";

const aside = (repo: GitRepo, git: GitCalls = repo.calls): Promise<string | undefined> =>
  setAside(git, repo, "run-1", repo.withLock);

describe("G13 a kept worktree is set aside", () => {
  test("G13 as .worktrees/BEAD.RUN, with the work in it, and once is enough", async () => {
    using repo = new GitRepo();
    const folder = await repo.made();
    writeFileSync(join(folder, "file"), "work\n");
    expect(await aside(repo)).toBe(`${folder}.run-1`);
    expect(await aside(repo)).toBe(`${folder}.run-1`);
    expect(repo.worktrees).toEqual({ folders: ["proj-1.run-1"], known: [`${folder}.run-1`] });
    expect(repo.gitIn(`${folder}.run-1`, "status", "--porcelain", "-b")).toBe("## clew/run-1\n M file\n");
    expect(await setAside(repo.calls, repo, "run-2", repo.withLock)).toBeUndefined();
  });

  test("G13 the place is free for the next run, and what stands at the new place stays", async () => {
    using repo = new GitRepo();
    const folder = await repo.made();
    mkdirSync(`${folder}.run-1`);
    expect(await aside(repo)).toBe(`${folder}.run-1.2`);
    expect(await repo.made({ runId: "run-2" })).toBe(folder);
    expect(await aside(repo)).toBe(`${folder}.run-1.2`);
  });

  test("G13 with submodules in it, which go on working", async () => {
    using repo = new GitRepo();
    repo.addSubmodule();
    const folder = await repo.made();
    repo.gitIn(folder, "submodule", "--quiet", "update", "--init");
    writeFileSync(join(folder, "sub/inner"), "changed\n");
    const deaths = await dieEverywhere(
      () => repo.calls,
      (git) => aside(repo, git),
      async () => {
        expect(await aside(repo)).toBe(`${folder}.run-1`);
        expect(repo.gitIn(`${folder}.run-1`, "status", "--porcelain")).toBe(" M sub\n");
        expect(repo.gitIn(`${folder}.run-1/sub`, "status", "--porcelain")).toBe(" M inner\n");
        expect(repo.worktrees.known).toEqual([`${folder}.run-1`]);
        repo.gitIn(`${folder}.run-1/sub`, "config", "core.worktree", "../../../../../.worktrees/proj-1/sub");
        renameSync(`${folder}.run-1`, folder);
        writeFileSync(join(repo.commonDir, "worktrees/proj-1/gitdir"), `${folder}/.git\n`);
      },
    );
    expect(deaths).toBeGreaterThan(3);
  });
});
