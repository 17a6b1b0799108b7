import { existsSync, mkdirSync, readdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { makingReason } from "./making-mark.ts";
import { readNote, writeNote } from "./note-file.ts";
import { dieEverywhere, GitRepo } from "./worktrees.fixture.ts";

/** The run gets its worktree, whole and only one, and nothing is left over. */
async function expectGood(repo: GitRepo, more = {}): Promise<void> {
  const folder = await repo.made(more);
  expect(repo.gitIn(folder, "status", "--porcelain", "-b")).toBe("## clew/run-1\n");
  expect(repo.read(folder, "file")).toBe("one\n");
  expect(repo.worktrees).toEqual({ folders: ["proj-1"], known: [folder] });
  expect(readdirSync(join(repo.commonDir, "worktrees"))).toHaveLength(1);
  const [name = ""] = readdirSync(join(repo.commonDir, "worktrees"));
  expect(readNote(join(repo.commonDir, "worktrees", name))).toMatchObject({ run: "run-1", ready: true });
  expect(existsSync(join(repo.commonDir, "worktrees", name, "locked"))).toBe(false);
}

function takeAway(repo: GitRepo): void {
  rmSync(join(repo.root, ".worktrees"), { recursive: true, force: true });
  rmSync(join(repo.commonDir, "worktrees"), { recursive: true, force: true });
  repo.git("update-ref", "-d", "refs/heads/clew/run-1");
}

describe("G11 whoever made a worktree died", () => {
  test("G11 after any call of git", async () => {
    using repo = new GitRepo();
    repo.write(".env", "x");
    repo.write(".git/info/exclude", ".env\n");
    const deaths = await dieEverywhere(
      () => repo.calls,
      (git) => repo.make({ copy: [".env"] }, git),
      async () => {
        await expectGood(repo, { copy: [".env"] });
        expect(repo.read(repo.root, ".worktrees/proj-1/.env")).toBe("x");
        takeAway(repo);
      },
    );
    expect(deaths).toBeGreaterThan(5);
  });

  test("G11 in the middle of the checkout, by a kill of git and all around it", async () => {
    using repo = new GitRepo();
    repo.write(".gitattributes", "file filter=deadly\n");
    repo.commit("filtered");
    repo.git("config", "filter.deadly.smudge", "kill -9 0");
    expect(await repo.make()).toMatchObject({ kind: "refused", message: "git worktree add was stopped" });
    expect(repo.worktrees.folders).toEqual(["proj-1"]);
    repo.git("config", "filter.deadly.smudge", "cat");
    await expectGood(repo);
  });

  test("G11 while git wrote what it keeps of a worktree", async () => {
    using repo = new GitRepo();
    const { root, commonDir } = repo;
    const entry = join(commonDir, "worktrees/proj-1");
    const files: [name: string, text: string][] = [
      ["locked", makingReason({ run: "run-1", base: repo.head() })],
      ["gitdir", `${join(root, ".worktrees/proj-1/.git")}\n`],
      ["HEAD", `${"0".repeat(40)}\n`],
      ["commondir", "../..\n"],
      ["HEAD", "ref: refs/heads/clew/run-1\n"],
      ["index.lock", ""],
    ];
    for (let written = 1; written <= files.length; written++) {
      for (const hasFolder of [false, true]) {
        repo.git("branch", "clew/run-1");
        mkdirSync(entry, { recursive: true });
        for (const [name, text] of files.slice(0, written)) writeFileSync(join(entry, name), text);
        if (hasFolder) mkdirSync(join(root, ".worktrees/proj-1"), { recursive: true });
        if (hasFolder && written > 1) repo.write(".worktrees/proj-1/.git", `gitdir: ${entry}\n`);
        await expectGood(repo);
        takeAway(repo);
      }
    }
  });

  test("G11 before the note was there, or the lock was gone", async () => {
    using repo = new GitRepo();
    const folder = await repo.made();
    const entry = join(repo.commonDir, "worktrees/proj-1");
    const note = readNote(entry)!;
    const lock = (): void => writeFileSync(join(entry, "locked"), makingReason({ run: "run-1", base: note.base }));
    lock();
    await expectGood(repo);
    lock();
    rmSync(join(entry, "clew.json"));
    await expectGood(repo);
    lock();
    writeNote(entry, { ...note, ready: false });
    await expectGood(repo);
    expect(folder).toBe(join(repo.root, ".worktrees/proj-1"));
  });

  test("G11 and the note was lost later: known by its branch, with the work in it", async () => {
    using repo = new GitRepo();
    repo.write("local", "copied");
    repo.write(".git/info/exclude", "local\n");
    const folder = await repo.made({ copy: ["local"] });
    rmSync(join(repo.commonDir, "worktrees/proj-1/clew.json"));
    writeFileSync(join(folder, "work"), "work");
    writeFileSync(join(folder, "local"), "changed");
    expect(await repo.make({ copy: ["local"] })).toEqual({ kind: "ready", folder, copied: ["local"], isNew: false });
    expect([repo.read(folder, "work"), repo.read(folder, "local")]).toEqual(["work", "changed"]);
  });

  test("G11 and a person put something else in its place: that stays", async () => {
    using repo = new GitRepo();
    repo.hook("post-checkout", "kill -9 0");
    expect(await repo.make()).toMatchObject({ kind: "refused" });
    const folder = join(repo.root, ".worktrees/proj-1");
    rmSync(join(folder, ".git"));
    writeFileSync(join(folder, "mine"), "mine");
    expect(await repo.make()).toMatchObject({
      kind: "refused",
      message: expect.stringContaining("move it away") as string,
    });
    expect(repo.read(folder, "mine")).toBe("mine");
  });

  test("G11 in the middle of copying", async () => {
    using repo = new GitRepo();
    for (const name of ["a", "b", "c"]) repo.write(`local/${name}`, name);
    const folder = await repo.made({ copy: ["local"] });
    const entry = join(repo.commonDir, "worktrees/proj-1");
    writeNote(entry, { ...readNote(entry)!, ready: false });
    rmSync(join(folder, "local/c"));
    writeFileSync(join(folder, "local/b"), "hal");
    const copied = ["local/a", "local/b", "local/c"];
    expect(await repo.make({ copy: ["local"] })).toEqual({ kind: "ready", folder, copied, isNew: true });
    for (const name of ["a", "b", "c"]) expect(repo.read(folder, "local", name)).toBe(name);
  });

  test("G11 while setting another's aside", async () => {
    using repo = new GitRepo();
    const folder = await repo.made();
    writeFileSync(join(folder, "work"), "work");
    renameSync(folder, `${folder}.run-1`);
    repo.over.add("run-1");
    expect(await repo.make({ runId: "run-2" })).toMatchObject({ kind: "ready", folder, isNew: true });
    expect(repo.worktrees.known).toEqual([folder, `${folder}.run-1`]);
    expect(repo.read(`${folder}.run-1`, "work")).toBe("work");
  });

  test("G11 another run's that was never finished is thrown away once that is over", async () => {
    using repo = new GitRepo();
    repo.hook("post-checkout", "kill -9 0");
    expect(await repo.make()).toMatchObject({ kind: "refused" });
    rmSync(join(repo.commonDir, "hooks/post-checkout"));
    expect(await repo.make({ runId: "run-2" })).toMatchObject({ kind: "refused" });
    repo.over.add("run-1");
    expect(await repo.make({ runId: "run-2" })).toMatchObject({ kind: "ready", isNew: true });
    expect(repo.worktrees.folders).toEqual(["proj-1"]);
    expect(repo.git("branch", "--list", "clew/*", "--format=%(refname:short)")).toBe("clew/run-2\n");
  });
});
