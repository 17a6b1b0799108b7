import { execFileSync, spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { describe, expect, test } from "vitest";
import type { Preview } from "../../src/contract/preview.ts";
import { bead, preview, step, told, write, writeBead, writeSteps } from "../support/grimoires.ts";
import { MergeRepo } from "../support/merge-repo.ts";
import { node, readOnlyFlags } from "../support/node.ts";
import { Repo } from "../support/repo.ts";
import { RunRepo } from "../support/run-repo.ts";
import { showRun } from "../support/runs.ts";

const program = resolve(import.meta.dirname, "../../dist/clew.cjs");
const oneStep = "- {name: x, type: script, command: echo x >> ../../notes}";
const secret = `ghp_${"a1B2c3D4e5".repeat(4).slice(0, 36)}`;

/** What a run leaves anywhere: journals, claims, worktrees, sessions. */
function traces(repo: Repo): string[] {
  const places = [".git/clew/logs/workflows", ".git/clew/claims", ".git/clew/refused", ".worktrees", ".clew/sessions"];
  return places.flatMap((place) => {
    const folder = join(repo.root, place);
    return existsSync(folder) ? readdirSync(folder).map((name) => `${place}/${name}`) : [];
  });
}

describe("what only looks like a secret", () => {
  test("D7 lists in input are no secrets, nor is what JSON cannot hold", async () => {
    using repo = new RunRepo(`- name: x
  type: script
  input: {list: [a, {b: [c]}], zero: -0.0}
  command: echo {{.list}} {{.zero}} >> ../../notes`);
    await repo.clew("run", "proj-1", "--var", 'odd=["\\udc00", -0]');
    expect(repo.notes).toBe('["a",{"b":["c"]}] 0\n');
  });

  test("D7 a secret in a list is still refused, by run and by preview", async () => {
    using repo = new RunRepo(`- {name: x, type: script, input: {list: [a, [${secret}]]}, command: 'echo {{.list}}'}`);
    const { code, message } = await repo.refused(["run", "proj-1"]);
    expect([code, message]).toEqual(["invalid_grimoire", expect.stringContaining("step x of flow holds what looks")]);
    expect((await preview(repo)).refusals).toMatchObject([{ code, message }]);
    expect(traces(repo)).toEqual([]);
  });
});

describe("G18 what run would refuse, preview says", () => {
  const refusals = async (repo: Repo, ...more: string[]): Promise<[number | null, boolean, Preview["refusals"]]> => {
    const { code, valid, refusals: found } = await preview(repo, ...more);
    const { stdout } = await repo.run(["grimoire", "preview", "flow", "-b", "proj-1", ...more]);
    expect(stdout.includes("Ready to run")).toBe(valid);
    for (const { message } of found) expect(stdout).toContain(message);
    return [code, valid, found];
  };

  test("G18 a missing engine", async () => {
    using repo = new RunRepo('- {name: x, type: agent, spell: "Do\\nit"}');
    repo.configure("engine: nowhere\n");
    const { code, message, hint } = await repo.refused(["run", "proj-1", "--grimoire", "flow"]);
    expect(message).toBe("there is no engine nowhere in this version");
    expect(await refusals(repo)).toEqual([2, false, [{ code, message, hint }]]);
    repo.env["CLEW_SCRIPT"] = "script.json";
    expect(await refusals(repo, "--engine", "scripted")).toEqual([0, true, []]);
  });

  test("G18 an engine that has nothing to play", async () => {
    using repo = new RunRepo('- {name: x, type: agent, spell: "Do\\nit"}');
    const { code, message, hint } = await repo.refused(["run", "proj-1"]);
    expect(message).toContain("the engine scripted has no script to play");
    expect(await refusals(repo)).toEqual([2, false, [{ code, message, hint }]]);
    expect(traces(repo)).toEqual([]);
  });

  test("G18 secrets, all of them, in steps and in --var", async () => {
    using repo = new RunRepo(
      [1, 2].map((n) => `- {name: s${n}, type: script, command: "echo ${secret} {{.a}}"}`).join("\n"),
    );
    const [code, valid, found] = await refusals(repo, "--var", `a=${secret}`);
    expect([code, valid]).toEqual([2, false]);
    expect(found.map(({ code: each, message }) => `${each} ${message.replace(/ holds.*/, "")}`)).toEqual([
      "invalid_grimoire step s1 of flow",
      "invalid_grimoire step s2 of flow",
      "invalid_input --var a",
    ]);
  });

  test("G18 a closed bead, a detached HEAD, an unknown target, a branch without a commit", async () => {
    using repo = new RunRepo(oneStep);
    writeBead(repo, { ...bead, status: "closed", close_reason: "done" });
    expect(await refusals(repo)).toMatchObject([2, false, [{ message: "bead proj-1 is closed: done" }]]);
    writeBead(repo, bead);
    repo.git("checkout", "-q", "--detach");
    const detached = await repo.refused(["run", "proj-1"]);
    expect(await refusals(repo)).toEqual([2, false, [detached]]);
    expect(await refusals(repo, "--target", "main")).toEqual([0, true, []]);
    expect(await refusals(repo, "--target", "nope")).toMatchObject([
      2,
      false,
      [{ message: "--target: there is no branch nope" }],
    ]);
    repo.git("checkout", "-q", "--orphan", "empty");
    const empty = await repo.refused(["run", "proj-1"]);
    expect(empty.message).toBe("the branch empty has no commit yet");
    expect(await refusals(repo)).toEqual([2, false, [empty]]);
    expect(traces(repo)).toEqual([]);
  });

  test("G8 G18 a TMPDIR that no step could use", async () => {
    using repo = new RunRepo(oneStep);
    const env = { TMPDIR: join(repo.root, "tmp") };
    const run = await repo.refused(["run", "proj-1"], { env });
    const { stdout, code } = await repo.run(["grimoire", "preview", "flow", "-b", "proj-1", "--json"], { env });
    expect([code, (JSON.parse(stdout) as Preview).refusals]).toEqual([2, [run]]);
  });

  test("G18 everything at once, beside what is wrong with the file", async () => {
    using repo = new RunRepo("- {name: x, type: script, command: 'echo {{.nothing}}'}");
    writeBead(repo, { ...bead, status: "closed" });
    repo.git("checkout", "-q", "--detach");
    const shown = await preview(repo);
    expect(told(shown.problems)).toHaveLength(1);
    expect(shown.refusals.map(({ code }) => code)).toEqual(["not_possible_now", "invalid_input"]);
  });

  test("G18 all of that without a process and without writing", async () => {
    using repo = new RunRepo(`- {name: x, type: agent, engine: nowhere, spell: "Say\\n${secret}"}`);
    writeBead(
      repo,
      { ...bead, status: "closed", dependencies: [{ depends_on_id: "proj-2", type: "blocks" }] },
      { id: "proj-2", title: "First" },
    );
    write(repo, ".beads/beads.db", "");
    repo.git("checkout", "-q", "--detach");
    const before = repo.record();
    // Node itself refuses to start a process or to write a file under this flag.
    const { status, stdout, stderr } = spawnSync(
      node,
      [...readOnlyFlags(), program, "grimoire", "preview", "-b", "proj-1", "--json"],
      { cwd: repo.root, encoding: "utf8", env: { HOME: "/nonexistent", PATH: "/nonexistent", TMPDIR: "/nonexistent" } },
    );
    if (stdout === "") throw new Error(stderr);
    const { refusals: found } = JSON.parse(stdout) as Preview;
    expect([status, found.map(({ code }) => code)]).toEqual([
      2,
      [
        "not_possible_now",
        "not_possible_now",
        "invalid_input",
        "unknown_engine",
        "invalid_grimoire",
        "invalid_config",
        "not_available",
      ],
    ]);
    expect(repo.record()).toEqual(before);
  });
});

describe("G6 a step that never runs sets nothing", () => {
  test("G6 G18 it is told so, before and behind it, in loops and by a value", async () => {
    using repo = new Repo();
    writeBead(repo, bead);
    writeSteps(
      repo,
      `- {name: early, type: script, command: "echo {{.late}} {{.seldom.output}}"}
- {name: off, type: script, when: false, command: "true", output: late}
- {name: by-value, type: script, when: "{{eq .bead.priority 4}}", command: "true", output: rare}
- name: closed
  type: loop
  when: false
  max_iterations: 2
  steps:
    - {name: seldom, type: script, command: "true", output: inner}
- name: round
  type: loop
  max_iterations: 2
  steps:
    - {name: use, type: script, command: "echo {{.never}}"}
    - {name: mute, type: script, when: false, command: "true", output: never}
- {name: last, type: script, command: "echo {{.late}} {{.rare}} {{.inner}}"}`,
    );
    const shown = await preview(repo);
    const off = (step_: string): string => `is set by the step ${step_} alone, which never runs`;
    expect(shown.problems.map(({ step: at, message }) => `${at}: ${message}`)).toEqual([
      `early: .late ${off("off")}`,
      `early: .seldom ${off("seldom")}`,
      `round/use: .never ${off("mute")}`,
      `last: .late ${off("off")}`,
      `last: .rare ${off("by-value")}`,
      `last: .inner ${off("seldom")}`,
    ]);
    for (const path of ["off", "by-value", "closed", "closed/seldom", "round/mute"]) {
      expect([path, step(shown, path).sets]).toEqual([path, []]);
    }
    expect(step(shown, "early").sets).toEqual(["early"]);
  });
});

describe("G2 G13 a bead with open dependencies", () => {
  const waits = (type: string, id: string): object => ({
    dependencies: [{ issue_id: "proj-1", depends_on_id: id, type }],
  });

  test("G2 is refused with their names by run and preview; --anyway runs it", async () => {
    using repo = new RunRepo(oneStep);
    writeBead(
      repo,
      { ...bead, ...waits("blocks", "proj-2") },
      { id: "proj-2", title: "First", status: "in_progress" },
      { id: "proj-3", title: "Other" },
    );
    const refused = await repo.refused(["run", "proj-1"]);
    expect(refused).toEqual({
      code: "not_possible_now",
      message: "bead proj-1 waits for proj-2, which is not closed",
      hint: "clew bead dep tree proj-1 shows why; clew run proj-1 --anyway runs it all the same",
    });
    expect((await preview(repo)).refusals).toEqual([refused]);
    expect((await preview(repo, "--anyway")).valid).toBe(true);
    expect(traces(repo)).toEqual([]);
    await repo.clew("run", "proj-1", "--anyway");
    expect(repo.notes).toBe("x\n");
  });

  test("G2 what a parent waits for counts; relations, closed beads and a deferral of its own do not", async () => {
    using repo = new RunRepo(oneStep);
    const two = { id: "proj-2", title: "Parent", dependencies: [{ depends_on_id: "proj-3", type: "waits-for" }] };
    writeBead(repo, { ...bead, ...waits("parent-child", "proj-2") }, two, { id: "proj-3", title: "Far" });
    expect((await repo.refused(["run", "proj-1"])).message).toBe("bead proj-1 waits for proj-3, which is not closed");
    writeBead(
      repo,
      { ...bead, ...waits("related", "proj-3"), defer_until: "2999-01-01T00:00:00Z", status: "blocked" },
      { id: "proj-3", title: "Far" },
    );
    await repo.clew("run", "proj-1");
    expect(repo.notes).toBe("x\n");
  });

  test("G13 a run that is there goes on, whatever its bead waits for by now", async () => {
    using repo = new RunRepo("- {name: x, type: script, command: 'test -e ../../go'}");
    expect((await repo.run(["run", "proj-1"])).code).toBe(3);
    await repo.clew("bead", "create", "Another");
    const [other] = (await repo.json<{ beads: { id: string }[] }>("bead", "ready")).beads;
    await repo.clew("bead", "dep", "add", "proj-1", other!.id);
    expect((await repo.run(["run", "proj-1"])).code).toBe(3);
    writeFileSync(join(repo.root, "go"), "");
    expect((await repo.run(["run", "retry", "proj-1"])).code).toBe(0);
  });
});

describe("before work begins", () => {
  test("G12 nobody to commit as: refused where the grimoire merges, and doctor tells", async () => {
    using repo = new MergeRepo("true");
    repo.git("config", "--unset", "user.name");
    repo.git("config", "--unset", "user.email");
    repo.git("config", "user.useConfigOnly", "true");
    const refused = await repo.refused(["run", "proj-1"]);
    expect(refused).toMatchObject({ code: "not_possible_now", message: "git does not know who commits" });
    expect(refused.hint).toContain('git config --global user.name "…"');
    expect(traces(repo)).toEqual([]);
    const { stdout } = await repo.run(["doctor", "--json"]);
    expect(JSON.parse(stdout)).toMatchObject({
      findings: expect.arrayContaining([
        expect.objectContaining({ check: "commits", status: "warning", message: "git does not know who commits" }),
      ]) as unknown,
    });
    repo.put(".clew/grimoires/plain.yaml", `name: plain\ndescription: No merge.\nsteps:\n  ${oneStep}\n`);
    expect((await repo.run(["run", "proj-1", "--grimoire", "plain"])).code).toBe(0);
  });

  test("G11 what stands in the worktree's place is told before anything is written", async () => {
    using repo = new MergeRepo("echo new > new.txt");
    repo.put("mine.txt", "mine\n", repo.worktree);
    const refused = await repo.refused(["run", "proj-1"]);
    expect(refused.message).toBe(`${repo.worktree} is not a worktree that git knows`);
    expect(traces(repo)).toEqual([".worktrees/proj-1"]);
    expect(await repo.beadStatus()).toBe("open");
    rmSync(join(repo.root, ".worktrees"), { recursive: true });
    writeFileSync(join(repo.root, ".worktrees"), "");
    expect((await repo.refused(["run", "proj-1"])).message).toBe(`${repo.root}/.worktrees is not a folder`);
    rmSync(join(repo.root, ".worktrees"));
    repo.git("worktree", "add", "-q", "-b", "mine", repo.worktree);
    expect((await repo.refused(["run", "proj-1"])).message).toBe(`${repo.worktree} is a worktree that no run made`);
    repo.git("worktree", "remove", repo.worktree);
    expect((await repo.clewRun("start")).code).toBe(4);
  });

  test("G11 no room for a worktree: refused with what it takes, by bytes and by files, and doctor tells", async ({
    skip,
  }) => {
    using repo = new MergeRepo("true");
    const folder = join(repo.root, ".worktrees");
    mkdirSync(folder);
    const withDisk = async (options: string, work: () => Promise<void>): Promise<boolean> => {
      try {
        execFileSync("mount", ["-t", "tmpfs", "-o", options, "none", folder], { stdio: "ignore" });
      } catch {
        return false;
      }
      try {
        await work();
      } finally {
        execFileSync("umount", [folder]);
      }
      return true;
    };
    repo.put("zeros.bin", "\0".repeat(3 * 1024 * 1024));
    for (let n = 0; n < 20; n++) repo.put(`many/${n}`, "x");
    repo.git("add", "--all");
    repo.git("commit", "-q", "-m", "much");
    const isPossible = await withDisk("size=1m", async () => {
      const { code, message, hint } = await repo.refused(["run", "proj-1"], {}, 1);
      expect([code, message]).toEqual([
        "disk_full",
        expect.stringMatching(/^no room for a worktree in .*: it takes 3\.0 MiB, 1\.0 MiB are free$/),
      ]);
      expect(hint).toContain("clew worktree prune");
      const { stdout } = await repo.run(["doctor"]);
      expect(stdout).toMatch(/✗ room +no room for a worktree/);
      expect(traces(repo)).toEqual([]);
    });
    if (!isPossible) return skip("mounting a small file system is not allowed here");
    await withDisk("size=20m,nr_inodes=10", async () => {
      expect((await repo.refused(["run", "proj-1"], {}, 1)).message).toMatch(
        /it takes \d+ files and folders, \d can be made$/,
      );
    });
    // A checkout that is not whole takes less, and it is not known how much.
    repo.git("config", "core.sparseCheckout", "true");
    await withDisk("size=1m", async () => expect((await repo.clewRun("start")).code).not.toBe(2));
  });

  test("S12 doctor tells of a branch without a commit and of a HEAD without a branch", async () => {
    using repo = new Repo();
    const commits = async (): Promise<string[]> => {
      const { stdout } = await repo.run(["doctor", "--json"]);
      const { findings } = JSON.parse(stdout) as { findings: { check: string; status: string; message: string }[] };
      return findings.filter(({ check }) => check === "commits").map(({ status, message }) => `${status} ${message}`);
    };
    expect(await commits()).toEqual(["ok runs begin at main"]);
    repo.git("checkout", "-q", "--orphan", "empty");
    expect(await commits()).toEqual(["warning the branch empty has no commit yet"]);
    repo.git("checkout", "-q", "--detach", "main");
    expect(await commits()).toEqual([`warning no branch is checked out in ${repo.root}: HEAD is detached`]);
  });

  test("G11 folders that a removal left are named by doctor, and removed by --repair", async () => {
    using repo = new Repo();
    const left = join(repo.root, ".worktrees/.removed-proj-1-abcdefgh");
    mkdirSync(join(left, "deep"), { recursive: true });
    const about = async (...more: string[]): Promise<string[]> => {
      const { stdout } = await repo.run(["doctor", "--json", ...more]);
      const { findings } = JSON.parse(stdout) as { findings: { check: string; status: string; message: string }[] };
      return findings.filter(({ check }) => check === "worktrees").map(({ status, message }) => `${status} ${message}`);
    };
    expect(await about()).toEqual([`warning ${left} is what is left of a worktree that was removed`]);
    expect(await about("--repair")).toEqual([`repaired removed ${left}`]);
    expect(existsSync(left)).toBe(false);
    expect(await about()).toEqual(["ok 0 in order"]);
  });
});

describe("G17 clew run retry", () => {
  const asks = `- {name: ask-it, type: script, command: 'test "{{.answer}}" = yes', output: said}`;

  test("G18 a place that something else has taken is told by preview as by run", async () => {
    using repo = new RunRepo("- {name: x, type: script, command: 'true'}");
    const previewed = async (): Promise<unknown> => {
      const { code, stdout } = await repo.run(["grimoire", "preview", "flow", "--bead", "proj-1", "--json"]);
      return [code, (JSON.parse(stdout) as { refusals: { message: string }[] }).refusals.map(({ message }) => message)];
    };
    expect(await previewed()).toEqual([0, []]);
    write(repo, ".worktrees/proj-1/mine.txt", "mine\n");
    const taken = `${repo.root}/.worktrees/proj-1 is not a worktree that git knows`;
    expect(await previewed()).toEqual([2, [taken]]);
    expect((await repo.refused(["run", "proj-1"])).message).toBe(taken);
    rmSync(join(repo.root, ".worktrees"), { recursive: true });
    write(repo, ".worktrees", "");
    expect(await previewed()).toEqual([2, [`${repo.root}/.worktrees is not a folder`]]);
  });

  test("G16 G17 says when a setting changed that the run keeps, instead of failing the same way without a word", async () => {
    using repo = new RunRepo("- {name: x, type: script, command: 'true'}");
    repo.configure("default_grimoire: flow\nworktree: {setup: exit 3}\n");
    expect((await repo.run(["run", "proj-1"])).code).toBe(3);
    repo.configure("default_grimoire: flow\n");
    const { code, stderr } = await repo.run(["run", "retry", "proj-1"], { env: { CLEW_SCRIPT: "other.yaml" } });
    expect(code).toBe(3);
    expect(stderr).toMatch(
      /^the setting CLEW_SCRIPT is another .*\nthe setting worktree\.setup is another .*clew run cancel/,
    );
  });

  test("G16 G17 says when the grimoire or a spell changed since the run began, and keeps its own", async () => {
    using repo = new RunRepo(asks);
    expect((await repo.run(["run", "proj-1", "--var", "answer=no"])).code).toBe(3);
    expect((await repo.run(["run", "retry", "proj-1"])).stderr).toBe("");
    writeSteps(repo, "- {name: ask-it, type: script, command: 'true'}");
    const words =
      ".clew/grimoires/flow.yaml changed since the run began; the run keeps its own (clew run cancel, then clew run, takes the new one)\n";
    const text = await repo.run(["run", "retry", "proj-1"]);
    expect([text.code, text.stderr]).toEqual([3, words]);
    const json = await repo.run(["run", "retry", "proj-1", "--json"]);
    expect([json.code, json.stderr, json.stdout.includes("keeps its own")]).toEqual([3, words, false]);
    rmSync(join(repo.root, ".clew/grimoires/flow.yaml"));
    expect((await repo.run(["run", "resume", "proj-1"])).stderr).toContain("flow.yaml is gone; the run keeps its own");
  });

  test("G17 unknown names in --input are refused with those that are known", async () => {
    using repo = new RunRepo(asks);
    expect((await repo.run(["run", "proj-1", "--var", "answer=no", "--var", "extra=1"])).code).toBe(3);
    const { id } = await showRun(repo);
    const before = repo.journal(id).length;
    const meant = await repo.refused(["run", "retry", id, "--input", "anwser=yes"]);
    expect(meant).toEqual({
      code: "invalid_input",
      message: "--input anwser: the run knows no variable of that name",
      hint: "did you mean answer?",
    });
    expect((await repo.refused(["run", "retry", id, "--input", "colour=red", "--input", "answer=yes"])).hint).toBe(
      "it knows answer, ask_it, extra, said",
    );
    for (const name of ["bead", "previous", "loop_entry", "iteration"]) {
      expect((await repo.refused(["run", "retry", id, "--input", `${name}=1`])).code).toBe("usage");
    }
    expect([existsSync(join(repo.home, "signals")), repo.journal(id).length]).toEqual([false, before]);
    expect((await repo.run(["run", "retry", id, "--input", "extra=2", "--input", "answer=yes"])).code).toBe(0);
  });
});
