import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { sleep } from "../system/system.ts";
import { readEntries } from "./worktrees/entries.ts";
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
