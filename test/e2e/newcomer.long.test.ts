import { execFileSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { describe, expect, test } from "vitest";
import { MergeRepo } from "../support/merge-repo.ts";
import { placeBeads } from "../support/bead-file.ts";
import { Repo } from "../support/repo.ts";
import { script, showRun } from "../support/runs.ts";

const addFile = "echo new > new.txt";
const program = resolve(import.meta.dirname, "../../dist/clew.cjs");

describe("a review", () => {
  test("G12 all that moved since the offer is named, with the files", async () => {
    using repo = new MergeRepo(addFile);
    expect((await repo.clewRun("start")).code).toBe(4);
    repo.put("kept.txt", "moved\n");
    repo.git("commit", "-q", "-a", "-m", "main moves");
    repo.put("new.txt", "edited\n", repo.worktree);
    const { code, stdout } = await repo.clewRun("approve");
    expect(code).toBe(4);
    const words = stdout.replace(/\s+/g, " ");
    expect(words).toContain("main has moved since the offer (.beads/issues.jsonl, kept.txt)");
    expect(words).toContain(`new.txt changed in ${repo.worktree} since the offer`);
  });

  test("G12 at its end it says what landed, that the bead is closed, the worktree gone, and what is ready now", async () => {
    using repo = new MergeRepo(addFile);
    await repo.clew("bead", "create", "Announce it", "--dep", "proj-1");
    await repo.clewRun("start");
    const { code, stdout, stderr } = await repo.run(["run", "approve", "proj-1"], { cwd: repo.worktree });
    expect(code).toBe(0);
    expect(stdout).toMatch(
      /✓ completed.*\n {2}merged into main as [0-9a-f]{9}: 1 file, \+1 −0\n {2}bead proj-1 is closed\n {2}ready now: proj-\w+ \(Announce it\)\n/,
    );
    expect(stdout).toContain("its worktree is gone: .worktrees/proj-1");
    expect(stderr).toContain(`your shell stands in ${repo.worktree}, which went with the worktree: cd ${repo.root}`);
  });

  test("G12 what changed nothing says so, and how the bead is opened again", async () => {
    using repo = new MergeRepo("true");
    const { code, stdout } = await repo.clewRun("start");
    expect(code).toBe(0);
    expect(stdout).toContain("it changed no file; if that is not right: clew bead reopen proj-1");
  });

  test("G12 clew alone names the task, and no command that it prints approves anything", async () => {
    using repo = new MergeRepo(addFile);
    await repo.clewRun("start");
    const words = await repo.clew("status");
    expect(words).toMatch(/⏸ Fix the login: .*the changes wait/);
    expect(words).toContain("clew run diff ");
    expect(words).not.toContain("clew run approve");
  });

  test("G12 the inbox does the same as clew run, in the foreground", async () => {
    using repo = new MergeRepo(addFile);
    const answer = async (word: string) => {
      const { items } = await repo.json<{ items: { id: string }[] }>("inbox");
      return repo.run(["inbox", "answer", items[0]!.id, word]);
    };
    await repo.clewRun("start");
    expect((await answer("reject not yet")).code).toBe(3);
    expect((await answer("retry")).code).toBe(4);
    const { code, stdout } = await answer("approve");
    expect([code, stdout]).toEqual([0, expect.stringContaining("bead proj-1 is closed")]);
    expect(repo.text("new.txt")).toBe("new\n");
  });

  test("G12 a proof names its command, and so does a verify that failed without a word", async () => {
    using repo = new MergeRepo(addFile, { merge: { verify: "test ! -e no && echo '# duration_ms 399'" } });
    await repo.clewRun("start");
    const shown = await repo.clew("run", "show", "proj-1");
    expect(shown).toMatch(
      /verify succeeded on this very tree \([0-9a-f]{9}\): test ! -e no && echo '# duration_ms 399': exit 0/,
    );
    repo.put("no", "");
    repo.git("add", "no");
    repo.git("commit", "-q", "-m", "no");
    expect((await repo.clewRun("approve")).code).toBe(3);
    expect((await showRun(repo)).message).toBe(
      "verify on the merged tree: test ! -e no && echo '# duration_ms 399': exited with 1",
    );
  });

  test("G17 bead show names the run, how it stands and what to do next", async () => {
    using repo = new MergeRepo(addFile);
    expect(await repo.json("bead", "show", "proj-1")).not.toHaveProperty("run");
    await repo.clewRun("start");
    const { id } = await showRun(repo);
    const next = `clew run diff ${id}`;
    expect(await repo.clew("bead", "show", "proj-1")).toMatch(new RegExp(`run +${id} · pending_merge · ${next}`));
    expect(await repo.json("bead", "show", "proj-1")).toMatchObject({ run: { id, status: "pending_merge", next } });
  });
});

describe("hints that work as they are printed", () => {
  test("G17 a bead without a run is told as such by its short name, too", async () => {
    using repo = new Repo();
    const id = await repo.clew("bead", "create", "Alone");
    const short = id.slice(id.lastIndexOf("-") + 1);
    expect(await repo.refused(["run", "approve", short])).toMatchObject({
      message: `bead ${id} has no run yet`,
      hint: `clew run ${id} starts one`,
    });
  });

  test("G18 an unknown engine: the command keeps what was asked for, and the setting is named", async () => {
    using repo = new MergeRepo(addFile, { before: [{ name: "think", type: "agent", spell: "Do\nit" }] });
    repo.configure("default_grimoire: implement-bead\nengine: hal\n");
    const { hint } = await repo.refused(["run", "proj-1", "--grimoire", "flow", "--var", "a=two words"]);
    expect(hint).toContain("clew config set engine claude");
    expect(hint).toContain("clew run proj-1 --grimoire flow --var 'a=two words' --engine claude");
  });

  test("G19 one cause that keeps several beads is told once, by the daemon and in the inbox", async () => {
    using repo = new MergeRepo(addFile, { before: [{ name: "think", type: "agent", spell: "Do\nit" }] });
    repo.configure("default_grimoire: flow\nengine: hal\n");
    const beads = [1, 2, 3].map((n) => ({
      id: `proj-${n}`,
      title: `Bead ${n}`,
      status: "open",
      created_at: "2026-11-01T10:00:00Z",
      updated_at: "2026-11-01T10:00:00Z",
    }));
    placeBeads(repo, beads.map((each) => `${JSON.stringify(each)}\n`).join(""));
    const { code, stdout } = await repo.run(["daemon", "run", "--once"]);
    expect(code).toBe(1);
    const told = stdout.split("\n").filter((line) => line.includes("there is no engine hal"));
    expect(told).toHaveLength(1);
    expect(told[0]).toMatch(/3 beads wait: proj-1, proj-2, proj-3 \(.*clew config set engine claude/);
    const { items } = await repo.json<{ items: { text: string; beads: string[] }[] }>("inbox");
    expect(items).toHaveLength(1);
    expect(items[0]!.text).toMatch(/^3 beads cannot be started: there is no engine hal/);
    expect(items[0]!.beads).toEqual(["proj-1", "proj-2", "proj-3"]);
  });
});

describe("what is told when there is nothing to show", () => {
  test("S12 a filter that no session fits is told from a repository without sessions", async () => {
    using repo = new Repo();
    expect(await repo.clew("session", "list")).toContain("No sessions. Start one");
    await repo.clew("session", "start", "There");
    expect(await repo.clew("session", "list", "--status", "failed")).toContain("No session is like that");
  });

  test("D6 settings that cannot be read are a finding of doctor, and no command sends in a circle", async () => {
    using repo = new Repo();
    repo.configure("engine: [scripted\n");
    const { code, stdout } = await repo.run(["doctor", "--json"]);
    expect(code).toBe(1);
    const { findings } = JSON.parse(stdout) as { findings: { check: string; status: string; hint: string }[] };
    expect(findings).toMatchObject([{ check: "settings", status: "problem" }]);
    expect(findings[0]!.hint).not.toContain("config show");
  });
});

describe("where the program is called", () => {
  test("in a folder that is gone, every command says so and exits 2", async () => {
    using repo = new Repo();
    const inGone = (...args: string[]): string =>
      execFileSync(
        "sh",
        [
          "-c",
          'mkdir gone && cd gone && rmdir ../gone && "$@" 2>&1; echo "exit $?"',
          "sh",
          process.execPath,
          program,
          ...args,
        ],
        {
          cwd: repo.root,
          encoding: "utf8",
        },
      );
    for (const args of [["session", "list"], ["--help"], []]) {
      const said = inGone(...args);
      expect(said).toMatch(/^error: the current folder does not exist any more\n {2}go to one that does.*\nexit 2\n$/);
    }
    expect(inGone("--version")).toMatch(/^\d+\.\d+\.\d+.*\nexit 0\n$/);
    expect(inGone("session", "list", "--json")).toMatch(/^\{"error":\{"code":/);
  });

  test("what is kept beside the program names no folder of whoever built it", () => {
    const chunks = join(program, "..", "chunks");
    const kept = readdirSync(chunks).filter((name) => name.endsWith(".code"));
    expect(kept.length).toBeGreaterThan(0);
    const built = resolve(program, "../..");
    for (const name of kept) expect([name, readFileSync(join(chunks, name)).includes(built)]).toEqual([name, false]);
  });
});

test("G11 .worktrees and the links of .clew are ignored again after git clean -fdx, by whoever writes", async () => {
  using repo = new MergeRepo("true", { before: [script("stop", "exit 1")] });
  await repo.clew("init");
  await repo.clewRun("start");
  const exclude = join(repo.root, ".git/info/exclude");
  rmSync(exclude);
  for (const look of [["worktree", "list"], ["run", "list"], ["inbox"], [], ["doctor"]]) {
    await repo.run(look);
    expect([look, existsSync(exclude)]).toEqual([look, false]);
  }
  writeFileSync(exclude, "");
  for (const again of [
    ["doctor", "--repair"],
    ["run", "retry", "proj-1"],
  ]) {
    repo.git("clean", "-fdxq");
    rmSync(join(repo.root, ".git/info/exclude"));
    expect(existsSync(join(repo.root, ".worktrees/.gitignore"))).toBe(false);
    await repo.run(again);
    expect([again, repo.git("status", "--short", "--", ".worktrees", ".clew/index", ".clew/logs")]).toEqual([
      again,
      "",
    ]);
  }
});

test("D1 on a commit from before clew init, what is this machine's alone is not shown by git", async () => {
  using repo = new Repo();
  await repo.clew("init");
  repo.git("add", ".clew");
  repo.git("commit", "-q", "-m", "set up");
  repo.git("checkout", "-q", "HEAD~1");
  expect(repo.git("status", "--short", "--untracked-files=all")).toBe("");
});
