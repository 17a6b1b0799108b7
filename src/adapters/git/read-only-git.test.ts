import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { readOnlyCalls } from "./read-only-git.ts";
import { GitRepo } from "./worktrees/worktrees.fixture.ts";

const changes = ["status", "--porcelain=v1"];

/** Sets a filter for every file, and gives the file that appears when it is started. */
function plantFilter(repo: GitRepo, name: string): string {
  const trace = join(repo.root, ".git", `${name}-started`);
  mkdirSync(join(repo.commonDir, "info"), { recursive: true });
  writeFileSync(join(repo.commonDir, "info/attributes"), `* filter=${name}\n`);
  repo.git("config", `filter.${name}.clean`, `touch '${trace}' && cat`);
  return trace;
}

test("G11 a filter that is set between two looks is not started either", async () => {
  using repo = new GitRepo();
  const git = readOnlyCalls(repo.calls, {});
  repo.write("file", "two\n");
  expect((await git.plain(repo.root, changes)).stdout.toString()).toBe(" M file\n");
  for (const name of ["one", "two"]) {
    const trace = plantFilter(repo, name);
    expect((await git.plain(repo.root, changes)).stdout.toString()).toBe(" M file\n");
    expect(existsSync(trace)).toBe(false);
    await repo.calls.plain(repo.root, changes);
    expect(existsSync(trace)).toBe(true);
  }
});

test("G11 no answer is waited for longer than the limit, and none is taken for a yes", async () => {
  using repo = new GitRepo();
  const git = readOnlyCalls(repo.calls, {}, { settingsMs: 1500, answerMs: 1500 });
  const late = { code: -1, stderr: "no answer within 1.5 seconds" };
  const pipe = join(repo.root, ".git/pipe");
  execFileSync("mkfifo", [pipe]);
  repo.git("config", "include.path", "pipe");
  expect(await git.plain(repo.root, changes)).toMatchObject(late);
  expect(await git.plain(repo.root, ["rev-parse", "HEAD"])).toMatchObject(late);
  rmSync(pipe);
  execFileSync("mkfifo", [join(repo.root, ".gitignore")]);
  expect(await git.plain(repo.root, [...changes, "--untracked-files=all"])).toMatchObject(late);
});

test("G11 git is not called where it cannot say what filters there are", async () => {
  using repo = new GitRepo();
  const trace = plantFilter(repo, "one");
  writeFileSync(join(repo.commonDir, "info/attributes"), Buffer.from("* filter=\u00ff\n", "latin1"));
  const filter = `[filter "\u00ff"]\n\tclean = touch '${trace}'\n`;
  writeFileSync(join(repo.commonDir, "config"), Buffer.from(filter, "latin1"), { flag: "a" });
  const git = readOnlyCalls(repo.calls, {});
  expect(await git.plain(repo.root, changes)).toMatchObject({ code: -1, stderr: expect.stringContaining("no text") });
  writeFileSync(join(repo.commonDir, "config"), "[", { flag: "a" });
  expect(await git.plain(repo.root, changes)).toMatchObject({ code: 128 });
  expect(existsSync(trace)).toBe(false);
});
