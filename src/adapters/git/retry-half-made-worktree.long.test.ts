import { mkdirSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { sleep } from "../system/system.ts";
import { readEntries } from "./worktrees/git-worktree-entries.ts";
import { makingReason } from "./worktrees/making-mark.ts";
import { GitRepo } from "./worktrees/worktrees.fixture.ts";

/** A worktree as it stands between two writes of `git worktree add`; returns its git folder. */
function halfMade(repo: GitRepo): string {
  const gitFolder = join(repo.commonDir, "worktrees", "half");
  mkdirSync(gitFolder, { recursive: true });
  writeFileSync(join(gitFolder, "gitdir"), `${join(repo.root, "half/.git")}\n`);
  writeFileSync(join(gitFolder, "commondir"), "");
  return gitFolder;
}

test("G11 while git makes a worktree, others wait for it instead of failing with it", async () => {
  using repo = new GitRepo();
  const gitFolder = halfMade(repo);
  const reading = readEntries(repo.calls, repo);
  await sleep(200);
  writeFileSync(join(gitFolder, "HEAD"), "ref: refs/heads/main\n");
  writeFileSync(join(gitFolder, "commondir"), "../..\n");
  expect((await reading).map((entry) => entry.gitFolder)).toEqual([gitFolder]);
});

test("G11 what a killed git left half made is told, in git's own words", async () => {
  using repo = new GitRepo();
  const gitFolder = halfMade(repo);
  await expect(readEntries(repo.calls, repo)).rejects.toMatchObject({
    code: "not_available",
    message: expect.stringContaining("worktrees/half/commondir") as string,
    hint: expect.stringContaining("git worktree prune") as string,
  });
  rmSync(gitFolder, { recursive: true });
  expect(await readEntries(repo.calls, repo)).toEqual([]);
});

test("G11 G16 a worktree of a run that a killed git left half made is removed by the next one", async () => {
  using repo = new GitRepo();
  const gitFolder = halfMade(repo);
  writeFileSync(join(gitFolder, "HEAD"), "0000000000000000000000000000000000000000\n");
  writeFileSync(join(gitFolder, "gitdir"), `${join(repo.root, ".worktrees/proj-1/.git")}\n`);
  writeFileSync(join(gitFolder, "locked"), makingReason({ run: "run-1", base: repo.git("rev-parse", "HEAD") }));
  utimesSync(join(gitFolder, "commondir"), 0, 0);
  const folder = await repo.made();
  expect(repo.worktrees.known).toEqual([folder]);
});
