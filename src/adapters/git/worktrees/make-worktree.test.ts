import { existsSync, mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, test } from "vitest";
import { readNote } from "./note-file.ts";
import { GitRepo } from "./worktrees.fixture.ts";

describe("G11 a worktree for a run", () => {
  test("G11 it stands at .worktrees/BEAD on the run's branch, invisible to git, and says whose it is", async () => {
    using repo = new GitRepo();
    const made = await repo.make();
    const folder = join(repo.root, ".worktrees/proj-1");
    expect(made).toEqual({ kind: "ready", folder, copied: [], isNew: true });
    expect(repo.gitIn(folder, "status", "-sb")).toBe("## clew/run-1\n");
    expect(repo.git("status", "--porcelain", "--untracked-files=all")).toBe("");
    expect(readNote(join(repo.commonDir, "worktrees/proj-1"))).toEqual({
      version: 1,
      run: "run-1",
      bead: "proj-1",
      branch: "clew/run-1",
      base: repo.head(),
      target: "main",
      copied: [],
      ready: true,
    });
    expect(existsSync(join(repo.commonDir, "worktrees/proj-1/locked"))).toBe(false);
  });

  test("G11 asked again it is given as it is, with all that was done in it", async () => {
    using repo = new GitRepo();
    const folder = await repo.made({ copy: ["file"] });
    writeFileSync(join(folder, "file"), "work\n");
    const head = repo.commit("work", folder);
    writeFileSync(join(folder, "file"), "more\n");
    repo.commit("main goes on");
    expect(await repo.make()).toEqual({ kind: "ready", folder, copied: [], isNew: false });
    expect([repo.head(folder), repo.read(folder, "file")]).toEqual([head, "more\n"]);
  });

  test("G11 settings that make git guess or track change nothing", async () => {
    using repo = new GitRepo();
    for (const [name, value] of Object.entries({
      "worktree.guessRemote": "true",
      "checkout.defaultRemote": "origin",
      "branch.autoSetupMerge": "always",
      "submodule.recurse": "true",
      "core.hooksPath": "no/such/folder",
    })) {
      repo.git("config", name, value);
    }
    repo.git("tag", "clew/run-1");
    const folder = await repo.made();
    expect(repo.gitIn(folder, "symbolic-ref", "HEAD")).toBe("refs/heads/clew/run-1\n");
    expect(repo.git("config", "--list")).not.toContain("branch.clew");
  });

  test("G11 a path with blanks and a newline, reached through a link", async () => {
    using repo = new GitRepo("two\nlines and blanks");
    const link = join(dirname(repo.root), "link");
    symlinkSync(repo.root, link);
    const through = { root: link, commonDir: join(link, ".git") };
    const folder = await repo.made(through);
    expect(folder).toBe(join(repo.root, ".worktrees/proj-1"));
    expect(await repo.make(through)).toMatchObject({ folder, isNew: false });
    expect(await repo.make()).toMatchObject({ folder, isNew: false });
  });

  test("G11 a sparse checkout, and submodules that are not there yet", async () => {
    using repo = new GitRepo();
    repo.addSubmodule();
    repo.write("wide/file", "x");
    repo.commit("wide");
    repo.git("sparse-checkout", "set", "--cone", "narrow");
    const folder = await repo.made();
    expect([existsSync(join(folder, "wide")), existsSync(join(folder, "file"))]).toEqual([false, true]);
    expect(repo.gitIn(folder, "status", "--porcelain")).toBe("");
  });

  test("G11 a hook that fails after the checkout does not undo it", async () => {
    using repo = new GitRepo();
    repo.hook("post-checkout", "exit 3");
    await repo.made();
    expect(repo.reports).toEqual(["the hook post-checkout exited with 3; the worktree is there all the same"]);
  });

  test("G11 a filter that fails is told, and leaves nothing behind", async () => {
    using repo = new GitRepo();
    repo.write(".gitattributes", "file filter=big\n");
    repo.commit("filtered");
    repo.git("config", "filter.big.smudge", "false");
    repo.git("config", "filter.big.required", "true");
    const made = await repo.make();
    expect(made).toMatchObject({
      kind: "refused",
      output: expect.stringContaining("smudge filter big failed") as string,
    });
    expect(repo.worktrees).toEqual({ folders: [], known: [] });
    expect(repo.git("branch", "--list", "clew/*")).toBe("");
    repo.git("config", "filter.big.smudge", "cat");
    expect(await repo.make()).toMatchObject({ kind: "ready", isNew: true });
  });

  test("G11 eight at once", async () => {
    using repo = new GitRepo();
    const numbers = [1, 2, 3, 4, 5, 6, 7, 8];
    const folders = await Promise.all(numbers.map((n) => repo.made({ bead: `proj-${n}`, runId: `run-${n}` })));
    expect(new Set(folders).size).toBe(8);
    expect(repo.worktrees.known).toEqual([...folders].sort());
    for (const folder of folders) expect(repo.gitIn(folder, "status", "--porcelain")).toBe("");
  });
});

describe("G11 what is in the way", () => {
  const refusal = async (repo: GitRepo, more = {}): Promise<string> => {
    const made = await repo.make(more);
    return made.kind === "refused" ? made.message : "ready";
  };

  test("G11 no commit, or one that is not there", async () => {
    using repo = new GitRepo();
    expect(await refusal(repo, { base: "" })).toContain("no commit yet");
    expect(await refusal(repo, { base: "0".repeat(39) + "1" })).toContain("is not in this repository");
    expect(repo.worktrees).toEqual({ folders: [], known: [] });
  });

  test("G11 a branch of that name which is somebody else's", async () => {
    using repo = new GitRepo();
    repo.git("branch", "clew/run-1");
    repo.commit("second");
    expect(await refusal(repo)).toContain("there is a branch clew/run-1 that does not come from");
    repo.git("branch", "-D", "clew/run-1");
    repo.git("branch", "clew");
    expect((await repo.make()) as object).toMatchObject({
      output: expect.stringContaining("refs/heads/clew") as string,
    });
  });

  test("G11 a folder, a file or a link that is not a worktree is never touched", async () => {
    using repo = new GitRepo();
    const place = join(repo.root, ".worktrees/proj-1");
    mkdirSync(place, { recursive: true });
    writeFileSync(join(place, "mine"), "mine");
    expect(await refusal(repo)).toContain("move it away");
    expect(repo.read(place, "mine")).toBe("mine");
    rmSync(place, { recursive: true });
    writeFileSync(place, "mine");
    expect(await refusal(repo)).toContain("move it away");
    rmSync(place);
    symlinkSync("..", place);
    expect(await refusal(repo)).toContain("move it away");
    rmSync(place);
    mkdirSync(place);
    expect(await refusal(repo)).toBe("ready");
  });

  test("G11 .worktrees that is no folder of ours", async () => {
    using repo = new GitRepo();
    symlinkSync("..", join(repo.root, ".worktrees"));
    expect(await refusal(repo)).toContain(".worktrees is not a folder");
  });

  test("G11 a worktree that a person made there", async () => {
    using repo = new GitRepo();
    repo.git("worktree", "add", "-q", "-b", "mine", ".worktrees/proj-1");
    expect(await refusal(repo)).toContain("no run made");
    expect(repo.worktrees.folders).toEqual(["proj-1"]);
    rmSync(join(repo.root, ".worktrees/proj-1"), { recursive: true });
    repo.git("worktree", "lock", ".worktrees/proj-1");
    expect(await refusal(repo)).toContain("is locked");
    repo.git("worktree", "unlock", ".worktrees/proj-1");
    repo.git("worktree", "add", "-q", "-b", "other", ".worktrees/other");
    rmSync(join(repo.root, ".worktrees/other"), { recursive: true });
    expect(await refusal(repo)).toBe("ready");
    expect(repo.worktrees.known).toEqual([join(repo.root, ".worktrees/other"), join(repo.root, ".worktrees/proj-1")]);
  });

  test("G11 the worktree of another run: refused until that is over, then set aside", async () => {
    using repo = new GitRepo();
    const folder = await repo.made();
    writeFileSync(join(folder, "file"), "unfinished\n");
    expect(await refusal(repo, { runId: "run-2" })).toContain("is the worktree of run run-1, which is not over");
    repo.over.add("run-1");
    expect(await repo.make({ runId: "run-2" })).toMatchObject({ kind: "ready", folder, isNew: true });
    const aside = `${folder}.run-1`;
    expect([repo.read(aside, "file"), repo.read(folder, "file")]).toEqual(["unfinished\n", "one\n"]);
    expect(repo.gitIn(aside, "status", "--porcelain", "-b")).toBe("## clew/run-1\n M file\n");
    expect(repo.worktrees.known).toEqual([folder, aside]);
  });

  test("G11 one that a person locked is not set aside", async () => {
    using repo = new GitRepo();
    const folder = await repo.made();
    repo.over.add("run-1");
    repo.git("worktree", "lock", folder);
    expect(await refusal(repo, { runId: "run-2" })).toContain("is locked");
  });

  test("G11 its own, whose folder was deleted, is made again from its branch", async () => {
    using repo = new GitRepo();
    const folder = await repo.made();
    const head = repo.commit("work", folder);
    rmSync(folder, { recursive: true });
    expect(await repo.make()).toMatchObject({ kind: "ready", folder, isNew: true });
    expect(repo.head(folder)).toBe(head);
  });

  test("G11 its own, without its .git file, is left for a person to mend", async () => {
    using repo = new GitRepo();
    const folder = await repo.made();
    writeFileSync(join(folder, "work"), "work");
    rmSync(join(folder, ".git"));
    expect(await refusal(repo)).toContain("git worktree repair mends it");
    repo.git("worktree", "repair");
    expect(await repo.make()).toMatchObject({ kind: "ready", folder, isNew: false });
    expect(repo.read(folder, "work")).toBe("work");
  });

  test("G11 its own, moved by hand, is found again", async () => {
    using repo = new GitRepo();
    const folder = await repo.made();
    renameSync(folder, `${folder}-moved`);
    expect(await repo.make()).toMatchObject({ kind: "ready", folder: `${folder}-moved`, isNew: false });
    expect(repo.worktrees.known).toEqual([`${folder}-moved`]);
  });

  test("G11 git that is not there at all is told", async () => {
    using repo = new GitRepo();
    const gone = { code: -1, stdout: Buffer.alloc(0), stderr: "spawn git ENOENT" };
    const calls = { plain: async () => gone, guarded: async () => gone };
    const message = expect.stringContaining("git does not answer: spawn git ENOENT") as string;
    expect(await repo.make({}, calls)).toMatchObject({ kind: "refused", message });
  });
});
