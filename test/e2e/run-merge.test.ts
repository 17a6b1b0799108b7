import { existsSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { writeBead } from "../support/grimoires.ts";
import { MergeRepo } from "../support/merge-repo.ts";
import { showRun } from "../support/runs.ts";

const addFile = "echo new > new.txt; echo four >> shared.txt";

describe("G12 review", () => {
  test("G12 waits with the whole diff and exits 4; approve lands it, closes the bead, removes the worktree", async () => {
    using repo = new MergeRepo(addFile);
    const waiting = await repo.clewRun("start", ["--json"]);
    expect(waiting.code).toBe(4);
    const lines = waiting.stdout
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line) as Record<string, unknown>);
    expect(lines.at(-2)).toMatchObject({
      type: "workflow.merge_pending",
      worktree: repo.worktree,
      blocked_context: { output: expect.stringContaining("+four") as string },
      merge: { target: "main", totals: { files: 2, added: 2, deleted: 0 }, flagged: [] },
    });
    expect(await repo.beadStatus()).toBe("in_progress");
    expect(repo.text("new.txt")).toBeUndefined();
    const diff = await repo.clew("run", "diff", "proj-1");
    expect(diff).toContain("+++ b/new.txt");
    expect(await repo.clew("run", "diff", "proj-1", "--stat")).toMatch(/M shared\.txt +\+1 −0/);
    expect(await repo.clew("run", "diff", "proj-1", "new.txt")).not.toContain("shared.txt");

    expect((await repo.clewRun("approve")).code).toBe(0);
    expect(repo.text("new.txt")).toBe("new\n");
    expect(repo.text("shared.txt")).toBe("one\ntwo\nthree\nfour\n");
    expect(repo.commits()[0]).toBe("Merge proj-1: Fix the login");
    expect(repo.git("status", "--short", "--", ":!.beads", ":!.clew")).toBe("");
    expect(await repo.beadStatus()).toBe("closed");
    expect(existsSync(repo.worktree)).toBe(false);
    expect(repo.git("branch", "--list", "clew/*")).toBe("");
    expect(repo.git("for-each-ref", "refs/clew")).toBe("");
  });

  test("G12 reject blocks with its reason, and a retry offers again what is there by then", async () => {
    using repo = new MergeRepo(addFile);
    await repo.clewRun("start");
    const rejected = await repo.clewRun("reject", ["-r", "no tests"]);
    expect(rejected).toMatchObject({ code: 3, stdout: expect.stringContaining("no tests") as string });
    expect(await repo.beadStatus()).toBe("blocked");
    repo.put("more.txt", "more\n", repo.worktree);
    expect((await repo.clewRun("retry")).code).toBe(4);
    expect(await repo.beadStatus()).toBe("in_progress");
    expect(await repo.clew("run", "diff", "proj-1", "--stat")).toMatch(/A more\.txt/);
    expect((await repo.clewRun("approve")).code).toBe(0);
    expect(repo.text("more.txt")).toBe("more\n");
  });

  for (const [what, move] of Object.entries({
    "the target": (repo: MergeRepo) => {
      repo.put("elsewhere.txt", "else\n");
      repo.git("add", "elsewhere.txt");
      repo.git("commit", "-q", "-m", "elsewhere");
    },
    "the branch": (repo: MergeRepo) => {
      repo.put("late.txt", "late\n", repo.worktree);
      repo.at(repo.worktree, "add", "--all");
      repo.at(repo.worktree, "commit", "-q", "-m", "late");
    },
    "what stands in the worktree": (repo: MergeRepo) => repo.put("late.txt", "late\n", repo.worktree),
  })) {
    test(`G12 approval is bound to what was shown: if ${what} moved, it is asked for again`, async () => {
      using repo = new MergeRepo(addFile);
      await repo.clewRun("start");
      const { merge } = await showRun(repo);
      move(repo);
      expect((await repo.clewRun("approve")).code).toBe(4);
      expect(repo.text("new.txt")).toBeUndefined();
      const again = await showRun(repo);
      expect(again.merge!.commit).not.toBe(merge!.commit);
      const stale = await repo.run(["run", "approve", "proj-1", "--tree", merge!.tree]);
      expect(stale).toMatchObject({ code: 2, stderr: expect.stringContaining(again.merge!.tree) as string });
      expect((await repo.clewRun("approve", ["--tree", again.merge!.tree])).code).toBe(0);
      expect(repo.text("new.txt")).toBe("new\n");
    });
  }

  test("G12 without review it is landed at once; later steps still have the worktree", async () => {
    using repo = new MergeRepo(addFile, {
      review: false,
      after: [{ name: "after", type: "script", command: "cat new.txt; echo {{.merge.output}}; git rev-parse main" }],
    });
    expect((await repo.clewRun("start")).code).toBe(0);
    const { steps } = await showRun(repo);
    const [text, landed, main] = (steps.at(-1)!.output as string).split("\n");
    expect([text, landed]).toEqual(["new", main]);
    expect(existsSync(repo.worktree)).toBe(false);
  });

  test("G12 a run that changed nothing has nothing to merge, and is not asked", async () => {
    using repo = new MergeRepo("true");
    expect((await repo.clewRun("start")).code).toBe(0);
    expect(repo.commits()).toEqual(["files", "first"]);
    expect(await repo.beadStatus()).toBe("closed");
  });

  test("G12 what steers Clew is flagged", async () => {
    using repo = new MergeRepo("echo 'engine: codex' >> .clew/config.yaml; echo '{}' >> .beads/issues.jsonl");
    const { stdout } = await repo.clewRun("start");
    expect(stdout).toContain("! .clew/config.yaml steers Clew itself");
    expect((await showRun(repo)).merge!.flagged).toEqual([".beads/issues.jsonl", ".clew/config.yaml"]);
  });
});

describe("G12 commits", () => {
  test("G12 a hook that fails blocks with what it printed; once it is mended, a retry goes on", async () => {
    using repo = new MergeRepo(addFile);
    const hook = join(repo.root, ".git/hooks/pre-commit");
    writeFileSync(hook, "#!/bin/sh\necho the linter says no\nexit 1\n", { mode: 0o755 });
    const refused = await repo.clewRun("start");
    expect(refused).toMatchObject({ code: 3, stdout: expect.stringContaining("the linter says no") as string });
    expect(await repo.beadStatus()).toBe("blocked");
    writeFileSync(hook, "#!/bin/sh\nexit 0\n");
    expect((await repo.clewRun("retry")).code).toBe(4);
  });

  test("G12 what a hook says of a file that is too large is the hook's, not a full disk", async () => {
    using repo = new MergeRepo(addFile);
    const hook = join(repo.root, ".git/hooks/pre-commit");
    writeFileSync(hook, "#!/bin/sh\necho 'file too large (limit 3 bytes)' >&2\nexit 1\n", { mode: 0o755 });
    const refused = await repo.clewRun("start");
    expect(refused).toMatchObject({ code: 3, stdout: expect.stringContaining("file too large") as string });
  });

  test("G12 files that were copied into the worktree are never committed", async () => {
    using repo = new MergeRepo("cat .env > seen.txt; echo changed >> .env");
    repo.put(".env", "local\n");
    repo.put(".clew/config.yaml", "default_grimoire: flow\nworktree: {copy: [.env]}\n");
    expect((await repo.clewRun("start")).code).toBe(4);
    expect((await showRun(repo)).merge!.files.map(({ path }) => path)).toEqual(["seen.txt"]);
    expect((await repo.clewRun("approve")).code).toBe(0);
    expect([repo.text("seen.txt"), repo.text(".env")]).toEqual(["local\n", "local\n"]);
  });
});

describe("G12 conflicts", () => {
  test("G12 a conflict blocks with files and markers, is solved in the worktree, and retried", async () => {
    using repo = new MergeRepo("sed -i s/two/TWO/ shared.txt");
    await repo.clewRun("start");
    repo.put("shared.txt", "one\n2\nthree\n");
    repo.git("commit", "-q", "-m", "theirs", "shared.txt");
    const blocked = await repo.clewRun("approve", ["--json"]);
    expect(blocked.code).toBe(3);
    const { run } = JSON.parse(blocked.stdout.trimEnd().split("\n").at(-1)!) as { run: Record<string, unknown> };
    expect(run).toMatchObject({
      status: "blocked",
      blocked_reason: "conflict",
      message: expect.stringContaining("shared.txt") as string,
      blocked_context: { output: expect.stringMatching(/^[ +-]*<<<<<<< .*[^]*>>>>>>> /m) as string },
    });
    expect(await repo.beadStatus()).toBe("blocked");
    expect(repo.text("shared.txt")).toBe("one\n2\nthree\n");
    expect(repo.text("shared.txt", repo.worktree)).toMatch(/^<<<<<<< /m);
    // Nothing was solved.
    expect((await repo.clewRun("retry")).code).toBe(3);
    repo.put("shared.txt", "one\nboth\nthree\n", repo.worktree);
    expect((await repo.clewRun("retry")).code).toBe(4);
    expect((await repo.clewRun("approve")).code).toBe(0);
    expect(repo.text("shared.txt")).toBe("one\nboth\nthree\n");
  });
});

describe("G12 what is not as it was", () => {
  test("G12 changes that git was told not to see are merged all the same, and prune does not take them", async () => {
    const hide = "git update-index --assume-unchanged shared.txt; git update-index --skip-worktree kept.txt";
    using repo = new MergeRepo(`${hide}; echo changed > shared.txt; echo changed > kept.txt; test -e ../../go`);
    expect((await repo.clewRun("start")).code).toBe(3);
    await repo.clewRun("cancel");
    const pruned = await repo.json<{ removed: []; kept: { kept_because: string }[] }>("worktree", "prune");
    expect(pruned.removed).toEqual([]);
    expect(pruned.kept[0]!.kept_because).toMatch(/shared\.txt/);
    repo.put("go", "");
    expect((await repo.clewRun("start")).code).toBe(4);
    expect((await showRun(repo)).merge!.files.map(({ path }) => path)).toEqual(["kept.txt", "shared.txt"]);
  });

  test("G12 a target that was moved back does not get back what was taken out of it", async () => {
    const back = "git -C ../.. reset -q --soft HEAD~1; git -C ../.. rm -q -f secret.txt";
    using repo = new MergeRepo(`echo new > new.txt; ${back}`, { review: false });
    repo.put("secret.txt", "secret\n");
    repo.git("add", "secret.txt");
    repo.git("commit", "-q", "-m", "secret");
    const refused = await repo.clewRun("start");
    expect(refused).toMatchObject({ code: 3, stdout: expect.stringContaining("was moved back") as string });
    expect(refused.stdout).toMatch(/secret/);
    expect(repo.commits()[0]).toBe("files");
    repo.at(repo.worktree, "rebase", "-q", "--onto", "main", "HEAD~1");
    expect((await repo.clewRun("retry")).code).toBe(0);
    expect(repo.git("ls-tree", "--name-only", "main")).not.toContain("secret.txt");
  });

  test("G11 G12 a worktree without its .git file is not taken for the main checkout, and the doctor mends it", async () => {
    using repo = new MergeRepo(addFile);
    await repo.clewRun("start");
    rmSync(join(repo.worktree, ".git"));
    const refused = await repo.clewRun("approve");
    expect(refused.code).toBe(3);
    expect(refused.stdout).toMatch(/has lost its \.git file/);
    expect((await repo.run(["doctor", "--repair"])).code).toBe(0);
    expect((await repo.clewRun("retry")).code).toBe(4);
    expect((await repo.clewRun("approve")).code).toBe(0);
  });

  test("G12 a branch that was deleted is told with the commit that it had", async () => {
    using repo = new MergeRepo(addFile);
    await repo.clewRun("start");
    const { merge, branch } = await showRun(repo);
    repo.git("update-ref", "-d", `refs/heads/${branch}`);
    await repo.clewRun("approve");
    const { stdout } = await repo.clewRun("retry");
    expect(stdout).toContain(`git branch ${branch} ${merge!.head}`);
    repo.git("branch", branch!, merge!.head);
    expect((await repo.clewRun("retry")).code).toBe(4);
  });

  test("G12 the diff of a run that merged twice has both", async () => {
    using repo = new MergeRepo("echo one > one.txt", {
      review: false,
      after: [
        { name: "again", type: "script", command: "echo two > two.txt" },
        { name: "land", type: "merge", require_review: false },
        { name: "left", type: "script", command: "echo three > three.txt" },
      ],
    });
    const { code, stderr } = await repo.clewRun("start");
    expect(code).toBe(0);
    expect(stderr).toMatch(/its worktree stays: not committed: three\.txt/);
    const diff = await repo.clew("run", "diff", "proj-1");
    expect(diff).toContain("+++ b/one.txt");
    expect(diff).toContain("+++ b/two.txt");
  });

  test("G12 merges of several runs at once take turns without asking anybody", async () => {
    using repo = new MergeRepo("echo {{.bead.id}} > {{.bead.id}}.txt", { review: false });
    const ids = ["a-1", "a-2", "a-3", "a-4", "a-5", "a-6"];
    writeBead(repo, ...ids.map((id) => ({ id, title: id })));
    const outcomes = await Promise.all(ids.map((id) => repo.run(["run", id])));
    expect(outcomes.map(({ code }) => code)).toEqual(ids.map(() => 0));
    for (const id of ids) expect(repo.text(`${id}.txt`)).toBe(`${id}\n`);
  });

  test("G2 beads that belong to bd are refused before a run is made, when bd is missing", async () => {
    using repo = new MergeRepo(addFile);
    repo.put(".beads/embeddeddolt/config.yaml", "");
    const refused = await repo.clewRun("start", ["--json"], { env: { PATH: "/usr/bin:/bin" } });
    expect(refused.code).toBe(2);
    expect(JSON.parse(refused.stdout)).toMatchObject({ error: { message: expect.stringContaining("bd") as string } });
    expect((await repo.json<{ runs: unknown[] }>("run", "list")).runs).toEqual([]);
    expect(repo.git("worktree", "list").trim().split("\n")).toHaveLength(1);
  });
});
