import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { MergeRepo } from "../support/merge-repo.ts";
import { endNow, treeOf } from "../support/processes.ts";
import { fileIn, script, showRun, startClew, until } from "../support/runs.ts";

const squash = { strategy: "squash" };
const twoCommits = "echo one > one.txt; git add .; git commit -q -m one; echo two > two.txt";

describe("G12 strategy: squash", () => {
  test("G12 lands one commit on top of the target; the branch counts as merged, and its worktree goes", async () => {
    using repo = new MergeRepo(twoCommits, { merge: squash });
    await repo.clewRun("start");
    const { merge } = await showRun(repo);
    const main = repo.git("rev-parse", "main").trim();
    expect(merge).toMatchObject({ strategy: "squash", parents: [main], target_head: main });
    expect((await repo.clewRun("approve")).code).toBe(0);
    expect(repo.commits()).toEqual(["Fix the login", "files", "first"]);
    expect(repo.git("rev-list", "--parents", "-1", "main").trim().split(" ")).toHaveLength(2);
    expect([repo.text("one.txt"), repo.text("two.txt")]).toEqual(["one\n", "two\n"]);
    expect(existsSync(repo.worktree)).toBe(false);
    expect(repo.git("branch", "--list", "clew/*")).toBe("");
    expect(repo.git("for-each-ref", "refs/clew")).toBe("");
    expect(await repo.clew("run", "diff", "proj-1")).toContain("+++ b/two.txt");
  });

  test("G12 a second merge of the run goes on from what has landed, also on the same lines", async () => {
    using repo = new MergeRepo("sed -i s/two/TWO/ shared.txt", {
      review: false,
      merge: squash,
      after: [
        script("again", "sed -i s/TWO/Two/ shared.txt"),
        { name: "land", type: "merge", require_review: false, strategy: "squash" },
      ],
    });
    expect((await repo.clewRun("start")).code).toBe(0);
    expect(repo.commits()).toEqual(["Fix the login", "Fix the login", "files", "first"]);
    expect(repo.text("shared.txt")).toBe("one\nTwo\nthree\n");
    expect(existsSync(repo.worktree)).toBe(false);
  });

  test("G12 the target's own new commits stay apart, and what was left uncommitted keeps the worktree", async () => {
    using repo = new MergeRepo(twoCommits, {
      merge: squash,
      after: [script("left", "echo three > three.txt")],
    });
    await repo.clewRun("start");
    repo.put("kept.txt", "kept\nand more\n");
    repo.git("commit", "-q", "-m", "theirs", "kept.txt");
    expect((await repo.clewRun("approve")).code).toBe(4);
    const { code, stderr } = await repo.clewRun("approve");
    expect(code).toBe(0);
    expect(stderr).toMatch(/its worktree stays: not committed: three\.txt/);
    expect(repo.commits()).toEqual(["Fix the login", "theirs", "files", "first"]);
    expect(repo.text("kept.txt", repo.worktree)).toBe("kept\nand more\n");
  });

  test("G12 killed after it landed, it goes on; another branch that a person checked out there stays as it is", async () => {
    using repo = new MergeRepo(twoCommits, { merge: squash });
    await repo.clewRun("start");
    writeFileSync(join(repo.root, ".git/hooks/post-merge"), "#!/bin/sh\ntest -e go || { touch landed; sleep 60; }\n", {
      mode: 0o755,
    });
    const { child, outcome } = startClew(repo, ["run", "approve", "proj-1"]);
    await until(() => fileIn(repo, "landed").exists());
    treeOf(child.pid!).forEach(endNow);
    await outcome;
    repo.put("go", "");
    repo.at(repo.worktree, "switch", "-q", "-c", "mine");
    repo.at(repo.worktree, "commit", "-q", "--allow-empty", "-m", "a person's commit");
    expect((await repo.clewRun("resume")).code).toBe(0);
    expect(repo.commits("mine")[0]).toBe("a person's commit");
    expect(repo.commits()).toEqual(["Fix the login", "files", "first"]);
  });

  test("G12 a branch that was deleted while its squash is offered is told with the commit that it had", async () => {
    using repo = new MergeRepo(twoCommits, { merge: squash });
    await repo.clewRun("start");
    const { merge, branch } = await showRun(repo);
    repo.git("update-ref", "-d", `refs/heads/${branch}`);
    repo.git("reflog", "expire", "--expire=now", "--all");
    repo.git("gc", "-q", "--prune=now");
    await repo.clewRun("approve");
    const { stdout } = await repo.clewRun("retry");
    expect(stdout).toContain(`git branch ${branch} ${merge!.head}`);
    repo.git("branch", branch!, merge!.head);
    expect((await repo.clewRun("retry")).code).toBe(4);
  });
});

describe("G12 a diff belongs to the run that was asked for", () => {
  test("G12 after a cancel, in the place where the worktree was set aside; not what the next run has", async () => {
    using repo = new MergeRepo("echo {{.word}} > word.txt");
    await repo.clewRun("start", ["--var", "word=first"]);
    const { id: first } = await showRun(repo);
    expect((await repo.clewRun("cancel")).code).toBe(0);
    await repo.clewRun("start", ["--var", "word=second"]);
    const { id: second } = await showRun(repo);
    const diffOf = (id: string): Promise<string> => repo.clew("run", "diff", id);
    expect(await diffOf(second)).toContain("+second");
    expect(await diffOf(first)).toContain("+first");
    expect(await diffOf(first)).not.toContain("second");
    const { runs } = await repo.json<{ runs: { id: string; worktree: string | null }[] }>("run", "list");
    const places = Object.fromEntries(runs.map(({ id, worktree }) => [id, worktree]));
    expect(places).toEqual({ [second]: repo.worktree, [first]: `${repo.worktree}.${first}` });
    expect((await showRun(repo, first)).worktree).toBe(`${repo.worktree}.${first}`);
    // Without its worktree, its branch still tells; without both, nothing does.
    repo.git("worktree", "remove", "--force", `${repo.worktree}.${first}`);
    expect(await diffOf(first)).toContain("+first");
    expect((await showRun(repo, first)).worktree).toBeNull();
    repo.git("branch", "-q", "-D", `clew/${first}`);
    expect((await repo.refused(["run", "diff", first])).message).toContain(first);
    expect(existsSync(join(repo.worktree, "word.txt"))).toBe(true);
  });
});
