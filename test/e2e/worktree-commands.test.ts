import { execFileSync } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { ListedWorktree, PrunedWorktrees } from "../../src/contract/worktree.ts";
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
      expect.stringMatching(/^ +merge, or drop it: git worktree remove .+ && git branch -D clew\/run-2$/),
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

describe("G11 the setting worktree", () => {
  test("G11 is shown as it stands, and what cannot be is refused with the form", async () => {
    using repo = new Repo();
    repo.configure('worktree:\n  setup: npm ci\n  copy: [.env, "config/**/*.local"]\n  keep_cancelled: false\n');
    const { settings } = await repo.json<{ settings: { name: string; value: string }[] }>("config", "show");
    expect(settings.find(({ name }) => name === "worktree")?.value).toBe(
      '{"setup":"npm ci","copy":[".env","config/**/*.local"],"keep_cancelled":false}',
    );
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
