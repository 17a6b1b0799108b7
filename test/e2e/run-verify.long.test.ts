import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { JournalLine } from "../../src/contract/run-journal.ts";
import { MergeRepo } from "../support/merge-repo.ts";
import { endNow, treeOf } from "../support/processes.ts";
import { linesOf } from "../support/run-repo.ts";
import { fileIn, script, showRun, startClew, until } from "../support/runs.ts";

const addFile = "echo new > new.txt";
/** Fails as soon as the tree has a stricter test. */
const runTests = 'echo tested in "$(git rev-parse HEAD)"; test ! -e strict.txt || { echo strict says no; exit 1; }';

async function journalOf(repo: MergeRepo): Promise<JournalLine[]> {
  return linesOf(readFileSync((await showRun(repo)).journal, "utf8"));
}

/** A target that got a stricter test meanwhile. */
function makeStrict(repo: MergeRepo): void {
  repo.put("strict.txt", "strict\n");
  repo.git("add", "strict.txt");
  repo.git("commit", "-q", "-m", "stricter");
}

/** The run's branch is there, with nothing beside it. */
function expectPutBack(repo: MergeRepo): void {
  expect(repo.at(repo.worktree, "symbolic-ref", "--short", "HEAD").trim()).toMatch(/^clew\//);
  expect(repo.at(repo.worktree, "status", "--short")).toBe("");
}

describe("G12 verify", () => {
  test("G12 what lands was tested as it lands: a stricter test in the target blocks, with its output", async () => {
    using repo = new MergeRepo(addFile, { merge: { verify: runTests } });
    expect((await repo.clewRun("start")).code).toBe(4);
    const { merge } = await showRun(repo);
    const said = `tested in ${merge!.commit}`;
    expect(merge!.proven).toEqual([{ by: "verify", path: "merge", attempt: 1, command: runTests, said }]);
    makeStrict(repo);
    const blocked = await repo.clewRun("approve", ["--json"]);
    expect(blocked.code).toBe(3);
    const run = await showRun(repo);
    expect(run).toMatchObject({
      status: "blocked",
      blocked_reason: "verify",
      message: `verify on the merged tree: ${runTests}: exited with 1`,
      blocked_context: { success: false, exit_code: 1, output: expect.stringMatching(/strict says no$/) as string },
    });
    expect(repo.text("new.txt")).toBeUndefined();
    expect(await repo.beadStatus()).toBe("blocked");
    expectPutBack(repo);
    expect((await repo.clewRun("retry")).code).toBe(3);
    repo.git("rm", "-q", "strict.txt");
    repo.git("commit", "-q", "-m", "less strict");
    expect((await repo.clewRun("retry")).code).toBe(4);
    expect((await repo.clewRun("approve")).code).toBe(0);
    expect(repo.text("new.txt")).toBe("new\n");
  });

  test("G12 it runs on the merged tree, detached in the worktree, and is a preparation of its own", async () => {
    using repo = new MergeRepo(addFile, {
      merge: { verify: "git rev-parse HEAD HEAD^{tree} > ../../seen; git branch --show-current >> ../../seen" },
    });
    await repo.clewRun("start");
    const { merge } = await showRun(repo);
    expect(repo.text("seen")).toBe(`${merge!.commit}\n${merge!.tree}\n`);
    const lines = await journalOf(repo);
    const prepared = lines.filter((line) => line.type === "step.prepared").map(({ kind, status }) => [kind, status]);
    expect(prepared).toEqual([
      ["worktree", "succeeded"],
      ["offer", "succeeded"],
      ["verify", "succeeded"],
    ]);
    expect(lines.filter(({ type }) => type === "workflow.step.started")).toHaveLength(1);
    expectPutBack(repo);
  });

  test("G12 a step that succeeded with the same command on the very tree is named, and nothing is repeated", async () => {
    const command = "echo {{.bead.id}} >> ../../ran";
    using repo = new MergeRepo(addFile, { merge: { verify: command } });
    repo.put(
      ".clew/grimoires/flow.yaml",
      repo
        .text(".clew/grimoires/flow.yaml")!
        .replace(
          '  - {"name":"merge"',
          `  - ${JSON.stringify(script("tests", "echo {{.id}} >> ../../ran", { input: { id: "{{.bead.id}}" } }))}\n  - {"name":"merge"`,
        ),
    );
    expect((await repo.clewRun("start")).code).toBe(4);
    expect(fileIn(repo, "ran").lines()).toEqual(["proj-1"]);
    const { merge } = await showRun(repo);
    expect(merge!.proven).toEqual([
      { by: "step", path: "tests", attempt: 1, command: "echo proj-1 >> ../../ran", said: "" },
    ]);
    for (const args of [["run", "show", "proj-1"], ["run", "diff", "proj-1", "--stat"], ["inbox"]]) {
      expect(await repo.clew(...args)).toMatch(/tests succeeded on this very tree/);
    }
    // The target moved: the merged tree is another one, and is looked at by itself.
    repo.put("kept.txt", "kept\nand more\n");
    repo.git("commit", "-q", "-m", "more", "kept.txt");
    expect((await repo.clewRun("approve")).code).toBe(4);
    expect(fileIn(repo, "ran").lines()).toEqual(["proj-1", "proj-1"]);
    expect((await showRun(repo)).merge!.proven).toMatchObject([{ by: "verify", path: "merge", attempt: 2 }]);
    expect((await repo.clewRun("approve")).code).toBe(0);
  });

  test("G12 G16 an offer whose tree an earlier verify has proven can be approved, whoever reads the journal", async () => {
    using repo = new MergeRepo(addFile, { merge: { verify: "echo v >> ../../ran" } });
    await repo.clewRun("start");
    repo.git("commit", "-q", "--allow-empty", "-m", "the head moves, the tree does not");
    expect((await repo.clewRun("approve")).code).toBe(4);
    expect((await showRun(repo)).merge!.proven).toMatchObject([{ by: "verify", attempt: 1 }]);
    expect((await repo.clewRun("resume")).code).toBe(4);
    expect((await repo.clewRun("approve")).code).toBe(0);
    expect(fileIn(repo, "ran").lines()).toEqual(["v"]);
  });

  test("G12 a step whose command changed the tree, failed, or was another proves nothing", async () => {
    // The last one fails in the step, where the worktree has a branch, and succeeds on the detached merge.
    const same = ["echo v; echo changed > left.txt", 'test -z "$(git branch --show-current)"'];
    for (const [before, verify] of [["echo other", "echo v"], ...same.map((each) => [each, each])] as const) {
      using repo = new MergeRepo(addFile, { merge: { verify } });
      const flow = repo.text(".clew/grimoires/flow.yaml")!;
      const tests = script("tests", before, { on_fail: "continue" });
      repo.put(
        ".clew/grimoires/flow.yaml",
        flow.replace('  - {"name":"merge"', `  - ${JSON.stringify(tests)}\n  - {"name":"merge"`),
      );
      await repo.clewRun("start");
      expect((await showRun(repo)).merge!.proven).toMatchObject([{ by: "verify" }]);
    }
  });

  test("G12 without verify, an offer says that nothing is proven of its tree", async () => {
    using repo = new MergeRepo(addFile, { before: [script("tests", "true")] });
    const { stdout } = await repo.clewRun("start");
    expect(stdout).toContain("nothing is proven of this very tree");
    expect((await showRun(repo)).merge!.proven).toEqual([]);
    expect(await repo.clew("inbox")).toContain("nothing is proven of this very tree");
  });

  test("G12 what the command left is removed and named, and never counts as a change of the worktree", async () => {
    const verify =
      "echo litter > litter.txt; mkdir deep; echo x > deep/x; echo changed >> shared.txt; rm kept.txt; echo c > cache.ignored; git init -q nested; git commit -q --allow-empty -m odd";
    using repo = new MergeRepo("echo new > new.txt; echo mine > mine.ignored", { merge: { verify } });
    repo.put(".env", "local\n");
    repo.put(".clew/config.yaml", "default_grimoire: flow\nworktree: {copy: [.env]}\n");
    const waiting = await repo.clewRun("start");
    expect(waiting.code).toBe(4);
    expect(waiting.stdout).toMatch(
      /cleared what verify left: cache\.ignored, deep\/x, kept\.txt, litter\.txt, nested\/?, shared\.txt$/m,
    );
    expectPutBackBut(repo, "?? .env");
    expect(repo.text("mine.ignored", repo.worktree)).toBe("mine\n");
    expect(repo.text("cache.ignored", repo.worktree)).toBeUndefined();
    expect(existsSync(join(repo.worktree, "nested"))).toBe(false);
    expect((await repo.clewRun("approve")).code).toBe(0);
    expect(repo.text("shared.txt")).toBe("one\ntwo\nthree\n");
    expect(repo.text("litter.txt")).toBeUndefined();
  });

  test("G12 what git ignores and was there before stays, also beside an empty folder that goes", async () => {
    const work = "echo new > new.txt; mkdir -p data.ignored/tmp; echo mine > data.ignored/local.env";
    for (const verify of ["true", "find . -type d -empty -not -path './.git*' -delete", "git clean -fdq"]) {
      using repo = new MergeRepo(work, { merge: { verify } });
      await repo.clewRun("start");
      expect(repo.text("data.ignored/local.env", repo.worktree)).toBe("mine\n");
    }
  });

  test("G12 what the command hid from git is put back as well", async () => {
    const verify = "git update-index --skip-worktree shared.txt; echo evil > shared.txt";
    using repo = new MergeRepo(addFile, { merge: { verify } });
    await repo.clewRun("start");
    expect(repo.text("shared.txt", repo.worktree)).toBe("one\ntwo\nthree\n");
  });

  test("D7 the names of what it left are redacted", async () => {
    const token = `ghp_${"aB3".repeat(12)}`;
    using repo = new MergeRepo(addFile, { merge: { verify: 'touch "left-$MY_TOKEN"' } });
    const { stdout } = await repo.clewRun("start", [], { env: { MY_TOKEN: token } });
    expect(stdout).toContain("cleared what verify left");
    expect(`${stdout}${readFileSync((await showRun(repo)).journal, "utf8")}`).not.toContain(token);
  });

  test("G12 a .git that names another repository is not taken for the run's", async () => {
    const verify = 'echo "gitdir: $(git rev-parse --git-common-dir)" > .git';
    using repo = new MergeRepo(addFile, { merge: { verify } });
    const { code, stdout } = await repo.clewRun("start");
    expect([code, stdout]).toEqual([3, expect.stringContaining("names another repository")]);
    expect(repo.git("symbolic-ref", "--short", "HEAD").trim()).toBe("main");
    expect(repo.git("status", "--short", "--", ":!.beads", ":!.clew")).toBe("");
  });

  test("G12 with a filter, a step proves nothing: what ran may be other files than those that would land", async () => {
    using repo = new MergeRepo(addFile, { merge: { verify: "true" } });
    repo.git("config", "filter.odd.clean", "sed s/good/bad/");
    const flow = repo.text(".clew/grimoires/flow.yaml")!;
    const tests = JSON.stringify(script("tests", "true"));
    repo.put(".clew/grimoires/flow.yaml", flow.replace('  - {"name":"merge"', `  - ${tests}\n  - {"name":"merge"`));
    await repo.clewRun("start");
    expect((await showRun(repo)).merge!.proven).toMatchObject([{ by: "verify" }]);
  });

  test("G12 a command that moves the run's branch does not change what is offered", async () => {
    const verify = "git switch -q -; echo sneaky > sneaky.txt; git add sneaky.txt; git commit -q -m sneaky";
    using repo = new MergeRepo(addFile, { merge: { verify } });
    const waiting = await repo.clewRun("start");
    expect(waiting).toMatchObject({
      code: 4,
      stdout: expect.stringMatching(/cleared .*commit [0-9a-f]{12} on clew\//) as string,
    });
    expectPutBack(repo);
    expect((await repo.clewRun("approve")).code).toBe(0);
    expect(repo.text("sneaky.txt")).toBeUndefined();
  });

  test("G12 an ignored file that the merged tree would write over stays, and blocks", async () => {
    using repo = new MergeRepo("echo new > new.txt; echo mine > a.ignored", { merge: { verify: "true" }, before: [] });
    expect((await repo.clewRun("start")).code).toBe(4);
    repo.put("a.ignored", "theirs\n");
    repo.git("add", "-f", "a.ignored");
    repo.git("commit", "-q", "-m", "theirs");
    const { code, stdout } = await repo.clewRun("approve");
    expect([code, stdout]).toEqual([3, expect.stringContaining("could not be checked out")]);
    expect(repo.text("a.ignored", repo.worktree)).toBe("mine\n");
    expect(repo.at(repo.worktree, "symbolic-ref", "--short", "HEAD")).toMatch(/^clew\//);
  });

  test("G12 a worktree that changes each time before it can be verified blocks, instead of going on for ever", async () => {
    using repo = new MergeRepo(addFile, { merge: { verify: "true" } });
    // A watcher that writes as soon as something is offered.
    const refs = join(repo.root, ".git/hooks/reference-transaction");
    writeFileSync(refs, "#!/bin/sh\ngrep -q refs/clew/offers && date +%N > watched.txt\nexit 0\n", { mode: 0o755 });
    const { code, stdout } = await repo.clewRun("start");
    expect([code, stdout]).toEqual([3, expect.stringContaining("watched.txt changed in")]);
    expect((await showRun(repo)).current!.attempt).toBeLessThan(5);
  });

  test("G12 names that are no UTF-8 go as well", async () => {
    const verify = "mkdir \"$(printf 'a\\377.ignored')\"; touch \"$(printf 'a\\377.ignored/x\\376')\"";
    using repo = new MergeRepo(addFile, { merge: { verify } });
    expect((await repo.clewRun("start")).code).toBe(4);
    expect(repo.at(repo.worktree, "status", "--short", "--ignored")).toBe("");
  });

  test("G12 without review it is verified as well", async () => {
    using repo = new MergeRepo(addFile, { review: false, merge: { verify: "echo v >> ../../ran; false" } });
    expect((await repo.clewRun("start")).code).toBe(3);
    expect(repo.text("new.txt")).toBeUndefined();
  });
});

function expectPutBackBut(repo: MergeRepo, status: string): void {
  expect(repo.at(repo.worktree, "symbolic-ref", "--short", "HEAD").trim()).toMatch(/^clew\//);
  expect(repo.at(repo.worktree, "status", "--short").trim()).toBe(status);
}

describe("G12 G16 verify that is cut off", () => {
  const verify = "echo litter > litter.txt; echo v >> ../../ran; test -e ../../go || sleep 60";

  async function cutOff(how: "SIGKILL" | "SIGINT"): Promise<MergeRepo> {
    const repo = new MergeRepo(addFile, { merge: { verify } });
    repo.put("kept.txt", "kept\nand more\n");
    const { child, outcome } = startClew(repo, ["run", "proj-1"]);
    await until(() => fileIn(repo, "ran").exists());
    if (how === "SIGKILL") treeOf(child.pid!).forEach(endNow);
    else child.kill("SIGINT");
    await outcome;
    return repo;
  }

  test("G16 after a kill, the branch comes back, what was left goes, and it is verified again", async () => {
    using repo = await cutOff("SIGKILL");
    expect(repo.at(repo.worktree, "rev-parse", "--abbrev-ref", "HEAD").trim()).toBe("HEAD");
    writeFileSync(join(repo.root, "go"), "");
    expect((await repo.clewRun("resume")).code).toBe(4);
    expect(fileIn(repo, "ran").lines()).toEqual(["v", "v"]);
    expectPutBack(repo);
    expect((await repo.clewRun("approve")).code).toBe(0);
  });

  test("G16 a kill in the middle of the checkout leaves half of it and a lock; both go", async () => {
    using repo = await cutOff("SIGKILL");
    const { branch } = await showRun(repo);
    // As git leaves it when it dies before HEAD is written.
    repo.at(repo.worktree, "symbolic-ref", "HEAD", `refs/heads/${branch}`);
    const gitDir = repo.at(repo.worktree, "rev-parse", "--absolute-git-dir").trim();
    writeFileSync(join(gitDir, "index.lock"), "");
    writeFileSync(join(repo.root, "go"), "");
    expect((await repo.clewRun("resume")).code).toBe(4);
    expectPutBack(repo);
  });

  test("G16 what a person did in the worktree after the kill is kept, and named", async () => {
    using repo = await cutOff("SIGKILL");
    const { branch } = await showRun(repo);
    repo.at(repo.worktree, "checkout", "-q", "--force", branch!);
    repo.put("fix.txt", "fix\n", repo.worktree);
    repo.at(repo.worktree, "add", "fix.txt");
    repo.at(repo.worktree, "commit", "-q", "-m", "a person's fix");
    repo.put("shared.txt", "a person's edit\n", repo.worktree);
    repo.put("half-done.txt", "a person's file\n", repo.worktree);
    writeFileSync(join(repo.root, "go"), "");
    const { code, stdout } = await repo.clewRun("resume");
    expect(code).toBe(4);
    const [, kept] =
      /cleared what verify left: half-done\.txt, litter\.txt, shared\.txt; git show (\w+)/.exec(stdout) ?? [];
    expect(repo.git("show", `${kept}:shared.txt`)).toBe("a person's edit\n");
    expect(repo.git("show", `${kept}:half-done.txt`)).toBe("a person's file\n");
    // The commit is work of the run's branch like any other: offered, verified, and reviewed.
    expect((await showRun(repo)).merge!.files.map(({ path }) => path)).toEqual(["fix.txt", "new.txt"]);
    expectPutBack(repo);
  });

  test("G12 after Ctrl-C the branch is back at once", async () => {
    using repo = await cutOff("SIGINT");
    expectPutBack(repo);
    writeFileSync(join(repo.root, "go"), "");
    expect((await repo.clewRun("resume")).code).toBe(4);
  });

  test("G13 a cancel after a kill sets aside a worktree with the run's branch in it", async () => {
    using repo = await cutOff("SIGKILL");
    expect((await repo.clewRun("cancel")).code).toBe(0);
    const { worktree, branch } = await showRun(repo);
    expect(repo.at(worktree!, "branch", "--show-current").trim()).toBe(branch);
    expect(repo.at(worktree!, "status", "--short")).toBe("");
    rmSync(join(repo.root, "ran"));
  });
});
