import { execFileSync } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { ListedWorktree, PrunedWorktrees } from "../../src/contract/api/worktree.ts";
import { write } from "../support/grimoires.ts";
import { Repo } from "../support/repo.ts";
import { RunRepo } from "../support/run-repo.ts";
import { startClew, until } from "../support/runs.ts";

const nobody = 65_534;

/** A worktree as a run leaves it. */
function place(repo: Repo, bead: string, run: string): string {
  const folder = join(repo.root, ".worktrees", bead);
  mkdirSync(join(repo.root, ".worktrees"), { recursive: true });
  writeFileSync(join(repo.root, ".worktrees/.gitignore"), "*\n");
  const base = repo.git("rev-parse", "HEAD").trim();
  repo.git("worktree", "add", "-q", "--no-track", "-b", `clew/${run}`, folder);
  const note = { version: 1, run, bead, branch: `clew/${run}`, base, target: "main", copied: [], ready: true };
  writeFileSync(join(repo.root, ".git/worktrees", bead, "clew.json"), `${JSON.stringify(note)}\n`);
  return folder;
}

async function list(repo: Repo): Promise<ListedWorktree[]> {
  return (await repo.json<{ worktrees: ListedWorktree[] }>("worktree", "list")).worktrees;
}

describe("G11 clew worktree", () => {
  test("G11 list shows what each has that is nowhere else, as JSON and as a table", async () => {
    using repo = new Repo();
    expect(await repo.clew("worktree", "list")).toBe("No worktrees of runs.");
    expect(await list(repo)).toEqual([]);
    const clean = place(repo, "proj-1", "run-1");
    const dirty = place(repo, "proj-2", "run-2");
    writeFileSync(join(dirty, "notes.txt"), "x");
    repo.git("worktree", "add", "-q", "-b", "mine", join(repo.root, "mine"));
    expect(await list(repo)).toEqual([
      {
        path: clean,
        branch: "clew/run-1",
        run: "run-1",
        bead: "proj-1",
        status: null,
        ahead: 0,
        dirty: false,
        in_use: false,
        kept_because: null,
        what_to_do: null,
      },
      expect.objectContaining({ path: dirty, dirty: true, kept_because: "not committed: notes.txt" }),
    ]);
    const [heading, ...rows] = (await repo.clew("worktree", "list")).split("\n");
    expect(heading).toMatch(/^WORKTREE +RUN +AHEAD +CHANGES +BRANCH +KEPT BECAUSE$/);
    expect(rows).toEqual([
      expect.stringMatching(/^\.worktrees\/proj-1 +unknown +0 +no +clew\/run-1 +\(clew worktree prune takes it\)$/),
      expect.stringMatching(/^\.worktrees\/proj-2 +unknown +0 +yes +clew\/run-2 +not committed: notes\.txt$/),
    ]);
  });

  test("G11 prune takes what nobody needs, and says why the rest stays and what to do", async () => {
    using repo = new Repo();
    const clean = place(repo, "proj-1", "run-1");
    const ahead = place(repo, "proj-2", "run-2");
    writeFileSync(join(ahead, "work"), "work");
    for (const args of [
      ["add", "work"],
      ["commit", "-q", "-m", "work"],
    ])
      repo.git("-C", ahead, ...args);
    const dry = await repo.clew("worktree", "prune", "--dry-run");
    expect(dry).toContain("would go  .worktrees/proj-1");
    expect(existsSync(clean)).toBe(true);
    const told = await repo.clew("worktree", "prune");
    expect(told.split("\n")).toEqual([
      "removed   .worktrees/proj-1",
      "kept      .worktrees/proj-2: 1 commit is not in main",
      expect.stringMatching(/^ +merge, or drop it: clew worktree remove run-2 --force$/),
    ]);
    expect([existsSync(clean), existsSync(ahead)]).toEqual([false, true]);
    expect(repo.git("branch", "--list", "clew/*", "--format=%(refname:short)")).toBe("clew/run-2\n");
    repo.git("merge", "-q", "clew/run-2");
    const pruned = await repo.json<PrunedWorktrees>("worktree", "prune");
    expect(pruned).toMatchObject({ dry_run: false, removed: [{ path: ahead, ahead: 0 }], kept: [] });
    expect(await repo.clew("worktree", "prune")).toBe("No worktrees of runs.");
  });

  test("G11 the worktree of a run that is not over stays; called inside it, all are seen", async () => {
    using repo = new RunRepo("- {name: x, type: script, command: exit 1}");
    repo.git("add", "-A");
    repo.git("commit", "-q", "-m", "beads");
    expect((await repo.run(["run", "proj-1"])).code).toBe(3);
    const run = await repo.runId();
    const inside = { cwd: join(repo.root, ".worktrees/proj-1") };
    const { stdout } = await repo.run(["worktree", "prune", "--json"], inside);
    const { removed, kept } = JSON.parse(stdout) as PrunedWorktrees;
    expect(removed).toEqual([]);
    expect(kept).toMatchObject([{ run, status: "blocked", in_use: true, kept_because: "its run is blocked" }]);
    expect(existsSync(inside.cwd)).toBe(true);
    expect((await repo.run(["run", "cancel", "proj-1"])).code).toBe(0);
    const aside = join(repo.root, `.worktrees/proj-1.${run}`);
    expect(await list(repo)).toMatchObject([
      { path: aside, run, status: "cancelled", in_use: false, kept_because: null },
    ]);
    await repo.clew("worktree", "prune");
    expect([await list(repo), existsSync(aside)]).toEqual([[], false]);
  });

  test("G11 a run that was killed in the middle of the checkout gets a whole worktree", async () => {
    using repo = new RunRepo("- {name: x, type: script, command: 'cat file; git status --porcelain; exit 1'}");
    write(repo, ".gitattributes", "file filter=slow\n");
    write(repo, "file", "whole\n");
    repo.git("add", "-A");
    repo.git("commit", "-q", "-m", "beads");
    const begun = join(repo.home, "begun");
    mkdirSync(repo.home, { recursive: true });
    repo.git("config", "filter.slow.smudge", `touch '${begun}'; sleep 60; cat`);
    const { child, outcome } = startClew(repo, ["run", "proj-1"]);
    await until(() => existsSync(begun));
    child.kill("SIGKILL");
    await outcome;
    repo.git("config", "filter.slow.smudge", "cat");
    const { code, stdout } = await repo.run(["run", "proj-1"]);
    expect([code, stdout]).toEqual([3, expect.stringContaining("whole")]);
    expect(await list(repo)).toMatchObject([{ path: join(repo.root, ".worktrees/proj-1"), dirty: false, ahead: 0 }]);
    expect(readdirSync(join(repo.root, ".git/worktrees"))).toHaveLength(1);
  });

  test("G11 two prunes at once do no harm to each other", async () => {
    using repo = new Repo();
    for (let n = 0; n < 4; n++) place(repo, `proj-${n}`, `run-${n}`);
    await Promise.all([repo.clew("worktree", "prune"), repo.clew("worktree", "prune")]);
    expect(await list(repo)).toEqual([]);
    expect(repo.git("worktree", "list", "--porcelain").match(/^worktree /gm)).toHaveLength(1);
    expect(repo.git("fsck", "--no-progress")).toBe("");
  });

  test.runIf(process.getuid?.() === 0)("G11 folders that forbid writing go, too", async () => {
    using repo = new Repo();
    writeFileSync(join(repo.root, ".gitignore"), "cache\n");
    repo.git("add", "-A");
    repo.git("commit", "-q", "-m", "ignore");
    const folder = place(repo, "proj-1", "run-1");
    mkdirSync(join(folder, "cache/package"), { recursive: true });
    writeFileSync(join(folder, "cache/package/file"), "");
    for (const each of ["cache/package", "cache"]) chmodSync(join(folder, each), 0o555);
    execFileSync("chown", ["-R", `${nobody}:${nobody}`, repo.root]);
    const { code, stdout } = await repo.run(["worktree", "prune"], { uid: nobody });
    expect([code, stdout]).toEqual([0, "removed   .worktrees/proj-1\n"]);
    expect(readdirSync(join(repo.root, ".worktrees"))).toEqual([".gitignore"]);
  });

  test("S12 what a branch or a file is called does not reach the terminal as commands to it", async () => {
    using repo = new Repo();
    const folder = place(repo, "proj-1", "run-1");
    writeFileSync(join(folder, "\u001b[2Jx"), "");
    for (const command of ["list", "prune"]) {
      expect(await repo.clew("worktree", command)).toContain("not committed: ␛[2Jx");
    }
  });
});

/** A bead whose run is blocked, with a commit of its own in the worktree, which is not merged. */
async function blockedRepo(): Promise<RunRepo> {
  const repo = new RunRepo(
    "- {name: x, type: script, command: 'echo work > work; git add work; git commit -q -m work; exit 1'}",
  );
  repo.git("add", "-A");
  repo.git("commit", "-q", "-m", "beads");
  expect((await repo.run(["run", "proj-1"])).code).toBe(3);
  return repo;
}

const branches = (repo: Repo): string => repo.git("branch", "--list", "clew/*", "--format=%(refname:short)").trim();

describe("G11 clew worktree remove", () => {
  test("G11 keeps the worktree of a run that is not over, and what is nowhere else, but by force", async () => {
    using repo = await blockedRepo();
    const run = await repo.runId();
    const aside = join(repo.root, `.worktrees/proj-1.${run}`);
    const working = join(repo.root, ".worktrees/proj-1");
    const inUse = await repo.refused(["worktree", "remove", "proj-1", "--force"]);
    expect([inUse.code, inUse.message]).toEqual(["not_possible_now", `${working} stays: its run is blocked`]);
    await repo.run(["run", "cancel", "proj-1"]);
    const { message, hint } = await repo.refused(["worktree", "remove", "1"]);
    expect(message).toBe(`${aside} stays: 1 commit is not in main`);
    expect(hint).toContain("--force removes it with all that");
    writeFileSync(join(aside, "notes.txt"), "x");
    expect((await repo.refused(["worktree", "remove", run])).message).toContain("not committed: notes.txt");
    const tip = repo.git("rev-parse", `clew/${run}`).trim();
    expect((await repo.clew("worktree", "remove", run, "--force")).split("\n")).toEqual([
      `Removed .worktrees/proj-1.${run} and branch clew/${run}`,
      `  git branch clew/${run} ${tip} brings its commits back`,
    ]);
    expect([existsSync(aside), branches(repo), await list(repo)]).toEqual([false, "", []]);
    expect((await repo.refused(["worktree", "remove", run])).message).toBe(`no run's worktree is called ${run}`);
  });

  test("G11 needs no force where nothing would be lost, by bead, folder or path; several are told apart", async () => {
    using repo = new Repo();
    for (const number of [1, 2, 3]) place(repo, `proj-${number}`, `run-${number}`);
    const aside = place(repo, "proj-1.run-4", "run-4");
    writeFileSync(
      join(repo.root, ".git/worktrees/proj-1.run-4/clew.json"),
      JSON.stringify({
        version: 1,
        run: "run-4",
        bead: "proj-1",
        branch: "clew/run-4",
        base: repo.git("rev-parse", "HEAD").trim(),
        target: "main",
        copied: [],
        ready: true,
      }),
    );
    expect(await repo.refused(["worktree", "remove", "1"])).toMatchObject({
      message: "1 may be 2 worktrees",
      hint: "name its run: run-1, run-4",
    });
    expect(await repo.json("worktree", "remove", aside)).toEqual({
      removed: { run: "run-4", bead: "proj-1", path: aside, branch: "clew/run-4", commit: null },
    });
    expect(await repo.clew("worktree", "remove", ".worktrees/proj-2")).toBe(
      "Removed .worktrees/proj-2 and branch clew/run-2",
    );
    await repo.clew("worktree", "remove", "PROJ-3");
    expect((await list(repo)).map(({ run }) => run)).toEqual(["run-1"]);
    repo.git("worktree", "lock", join(repo.root, ".worktrees/proj-1"));
    expect((await repo.refused(["worktree", "remove", "run-1", "--force"])).message).toContain("it is locked");
  });

  test.each([
    ["rm -rf", (repo: RunRepo) => rmSync(join(repo.root, ".worktrees/proj-1"), { recursive: true })],
    ["git worktree remove", (repo: RunRepo) => void repo.git("worktree", "remove", "--force", ".worktrees/proj-1")],
  ])(
    "G11 G13 after %s, a cancelled run's branch with own commits is told, and goes by force",
    async (_, removeByHand) => {
      using repo = await blockedRepo();
      const run = await repo.runId();
      removeByHand(repo);
      const { code, stdout, stderr } = await repo.run(["run", "cancel", "proj-1"]);
      expect(code).toBe(0);
      expect(stdout + stderr).toContain(`its branch clew/${run} stays: it has commits that are nowhere else`);
      expect(stdout + stderr).toContain(`clew worktree remove ${run} --force`);
      expect(await repo.clew("worktree", "prune")).toContain(`kept      branch clew/${run}`);
      expect((await repo.refused(["worktree", "remove", "proj-1"])).hint).toContain("--force drops it");
      expect(await repo.clew("worktree", "remove", "proj-1", "--force")).toContain(`Removed branch clew/${run}`);
      expect(branches(repo)).toBe("");
    },
  );

  test("G11 G13 after a worktree was removed by hand, cancelling and prune take a branch that nobody would miss", async () => {
    using repo = await blockedRepo();
    const run = await repo.runId();
    repo.git("merge", "-q", "--ff-only", `clew/${run}`);
    repo.git("worktree", "remove", "--force", ".worktrees/proj-1");
    const branch = repo.git("rev-parse", `clew/${run}`).trim();
    expect((await repo.run(["run", "cancel", "proj-1"])).code).toBe(0);
    expect(branches(repo)).toBe("");
    repo.git("branch", `clew/${run}`, branch);
    expect(await repo.clew("worktree", "prune", "--dry-run")).toBe(`would go  branch clew/${run}`);
    expect(await repo.clew("worktree", "prune")).toBe(`removed   branch clew/${run}`);
    expect(branches(repo)).toBe("");
  });
});

describe("G11 the setting worktree", () => {
  test("G11 is shown as it stands, and what cannot be is refused with the form", async () => {
    using repo = new Repo();
    repo.configure('worktree:\n  setup: npm ci\n  copy: [.env, "config/**/*.local"]\n  keep_cancelled: false\n');
    const { settings } = await repo.json<{ settings: { name: string; value: unknown }[] }>("config", "show");
    expect(settings.find(({ name }) => name === "worktree")?.value).toEqual({
      setup: "npm ci",
      copy: [".env", "config/**/*.local"],
      keep_cancelled: false,
    });
    for (const wrong of [
      "npm ci",
      "[.env]",
      "{setup: [a]}",
      "{setup: ' '}",
      "{copy: .env}",
      "{copy: [1]}",
      "{seutp: a}",
    ]) {
      repo.configure(`worktree: ${wrong}\n`);
      expect((await repo.refused(["config", "show"])).message).toContain("worktree: must be settings of worktrees");
    }
    for (const path of [
      "../x",
      "/etc/passwd",
      "a/../../b",
      ".git",
      ".git/config",
      "a/.git/b",
      "a//b",
      "./a",
      ".worktrees/x",
      "''",
    ]) {
      repo.configure(`worktree: {copy: [${path}]}\n`);
      expect((await repo.refused(["config", "show"])).message).toContain("worktree.copy must name paths below");
    }
    rmSync(join(repo.root, ".clew/config.yaml"));
  });
});
