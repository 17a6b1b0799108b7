import { spawn } from "node:child_process";
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { Signal } from "../../src/contract/run.ts";
import { leaveSignal } from "../support/leave-signal.ts";
import { MergeRepo } from "../support/merge-repo.ts";
import type { Refusal, RunOptions } from "../support/repo.ts";
import { linesOf } from "../support/run-repo.ts";
import { endNow, treeOf } from "../support/processes.ts";
import { fileIn, showRun, startClew, until } from "../support/runs.ts";

const program = join(import.meta.dirname, "../../dist/clew.cjs");
const addFile = "echo new > new.txt";

/** A run that waits for its review. */
async function waiting(flow: ConstructorParameters<typeof MergeRepo>[1] = {}): Promise<MergeRepo> {
  const repo = new MergeRepo(addFile, flow);
  expect((await repo.clewRun("start")).code).toBe(4);
  return repo;
}

function signalsOf(repo: MergeRepo): string[] {
  const folder = join(repo.home, "signals");
  return existsSync(folder) ? readdirSync(folder) : [];
}

/** Runs a command that must be refused, and proves that nothing of it is left: nothing lands by a later command either. */
async function leavesNoTrace(repo: MergeRepo, args: string[], options: RunOptions = {}): Promise<Refusal> {
  const journal = readFileSync((await showRun(repo)).journal, "utf8");
  const error = await repo.refused(args, options);
  expect(signalsOf(repo)).toEqual([]);
  await repo.clewRun("start");
  await repo.run(["daemon", "run", "--once"]);
  expect(repo.text("new.txt")).toBeUndefined();
  const added = linesOf(readFileSync((await showRun(repo)).journal, "utf8").slice(journal.length));
  expect(added.filter(({ type }) => type === "run.signal")).toEqual([]);
  return error;
}

describe("G12 a refused command leaves no trace", () => {
  const verdicts = [
    ["approve", ["run", "approve", "proj-1"]],
    ["reject", ["run", "reject", "proj-1", "-r", "no"]],
    ["changes", ["run", "changes", "proj-1", "-m", "more"]],
    ["cancel", ["run", "cancel", "proj-1"]],
  ] as const;
  for (const [what, args] of verdicts) {
    test(`G12 ${what} by what calls itself a step of the run`, async () => {
      using repo = await waiting({ inLoop: true, merge: { on_changes: "continue" } });
      const { id } = await showRun(repo);
      const { code } = await leavesNoTrace(repo, [...args], { env: { CLEW_RUN: id } });
      expect(code).toBe("no_permission");
    });
  }

  test("G12 a verdict that could not be driven, because TMPDIR is no place for it", async () => {
    using repo = await waiting();
    const { code } = await leavesNoTrace(repo, ["run", "approve", "proj-1"], { env: { TMPDIR: repo.root } });
    expect(code).toBe("invalid_config");
  });

  test("G12 an approval of another tree, and words that no merge takes", async () => {
    using repo = await waiting();
    for (const args of [
      ["approve", "proj-1", "--tree", "0".repeat(40)],
      ["changes", "proj-1", "-m", "more"],
      ["retry", "proj-1"],
      ["reject", "proj-1", "-r", "x".repeat(70_000)],
    ]) {
      expect((await leavesNoTrace(repo, ["run", ...args])).code).toMatch(/^(?:not_possible_now|invalid_input)$/);
    }
  });

  test("G12 an answer in the inbox", async () => {
    using repo = await waiting();
    const { items } = await repo.json<{ items: { id: string }[] }>("inbox");
    const { id } = await showRun(repo);
    const answer = ["inbox", "answer", items[0]!.id];
    expect((await leavesNoTrace(repo, [...answer, "approve"], { env: { CLEW_RUN: id } })).code).toBe("no_permission");
    expect((await leavesNoTrace(repo, [...answer, "approve of it all"])).code).toBe("invalid_input");
  });

  test("G17 a retry", async () => {
    using repo = new MergeRepo("test -e ../../go && echo new > new.txt");
    expect((await repo.clewRun("start")).code).toBe(3);
    repo.put("go", "");
    const { id } = await showRun(repo);
    const { code } = await leavesNoTrace(repo, ["run", "retry", "proj-1"], { env: { CLEW_RUN: id } });
    expect(code).toBe("no_permission");
  });
});

/** What a step's command calls the program by. */
const env = { NODE: process.execPath, CLEW: program };

describe("G12 what a step started gives no verdict", () => {
  /** A run that waits, and another bead whose step tries to have it landed. */
  async function attacked(attack: string): Promise<MergeRepo> {
    const repo = await waiting();
    const steps = `steps: [{name: attack, type: script, on_fail: continue, command: ${JSON.stringify(attack)}}]`;
    repo.put(".clew/grimoires/attack.yaml", `name: attack\ndescription: For a test.\n${steps}\n`);
    repo.put(".beads/issues.jsonl", `${repo.text(".beads/issues.jsonl")}{"id":"proj-2","title":"Attack"}\n`);
    await repo.run(["run", "proj-2", "--grimoire", "attack"], { env });
    return repo;
  }

  const attacks = [
    ["by itself", '"$NODE" "$CLEW" run approve proj-1 > ../../said 2>&1'],
    ["with its mark taken away", 'CLEW_MARK= CLEW_RUN= "$NODE" "$CLEW" run approve proj-1 > ../../said 2>&1; true'],
    ["with an empty environment", 'env -i PATH="$PATH" "$NODE" "$CLEW" run approve proj-1 > ../../said 2>&1; true'],
    [
      "in place of the step's own process",
      'exec env -i PATH="$PATH" "$NODE" "$CLEW" run approve proj-1 > ../../said 2>&1',
    ],
    ["from a session of its own", 'setsid -w "$NODE" "$CLEW" run approve proj-1 > ../../said 2>&1'],
    [
      "through the inbox",
      `id=$("$NODE" "$CLEW" inbox --json | sed 's/.*"id":"\\(q-[a-z0-9]*\\)".*/\\1/'); "$NODE" "$CLEW" inbox answer "$id" approve > ../../said 2>&1`,
    ],
    [
      "as an entry of a session",
      `echo '{"kind":"answer","id":"q-abcdef","text":"yes"}' | "$NODE" "$CLEW" session log --batch -s latest > ../../said 2>&1`,
    ],
    ["by cancel", '"$NODE" "$CLEW" run cancel proj-1 > ../../said 2>&1'],
  ] as const;
  for (const [how, attack] of attacks) {
    test(`G12 ${how}`, async () => {
      using repo = await attacked(attack);
      const said = repo.text("said");
      expect(said).toMatch(
        /error: (?:line 1: )?process \d+ \(\w+\) was started by (?:the step [a-z0-9-]+:attack|a step of the run [a-z0-9-]+)/,
      );
      expect(said).not.toMatch(/terminal|another/);
      expect(signalsOf(repo)).toEqual([]);
      expect((await showRun(repo, "proj-1")).status).toBe("pending_merge");
      expect(repo.text("new.txt")).toBeUndefined();
    });
  }

  test.each([
    ["a question of a session", "inbox answer q-abcdef yes"],
    ["an answer as an entry", "session log --batch -s asking --json"],
    ["the user's own settings, from anywhere", "config set --user allow_outside_beads true"],
  ])("G12 D6 %s, in place of the step's own process and without its environment", async (_, words) => {
    using repo = new MergeRepo("true");
    const id = await repo.clew("session", "start", "Asking");
    await repo.log(id, { kind: "decision_needed", id: "q-abcdef", text: "Well?" });
    const home = join(repo.root, "home");
    const input = `{"kind":"answer","id":"q-abcdef","text":"yes"}`;
    const elsewhere = words.startsWith("config") ? "cd / && " : "";
    const called = `env -i PATH="$PATH" HOME="${home}" "$NODE" "$CLEW" ${words.replace("asking", id)}`;
    const attack = `${elsewhere}exec ${called} > "${join(repo.root, "said")}" 2>&1 <<'EOF'\n${input}\nEOF`;
    repo.put(
      ".clew/grimoires/attack.yaml",
      `name: attack\ndescription: For a test.\nsteps: [{name: attack, type: script, on_fail: continue, command: ${JSON.stringify(attack)}}]\n`,
    );
    await repo.run(["run", "proj-1", "--grimoire", "attack"], { env });
    expect(repo.text("said")).toMatch(/was started by a step of the run|no_permission/);
    expect((await repo.json<{ items: { id: string }[] }>("inbox")).items.map((item) => item.id)).toContain("q-abcdef");
    expect(existsSync(join(home, ".config/clew/config.yaml"))).toBe(false);
  });

  test("G12 after the step has ended, too", async () => {
    using repo = await waiting();
    const done = fileIn(repo, "said.done");
    const late = `sleep 1; "$NODE" "$CLEW" run approve proj-1 > said 2>&1; touch said.done`;
    writeFileSync(join(repo.root, "late.sh"), `cd ${JSON.stringify(repo.root)}\n${late}\n`);
    // What leaves group and session, and whose parent dies at once, lives on after a step that succeeded.
    const mark = "2026-11-01-other:attack:word";
    const child = spawn("setsid", ["sh", join(repo.root, "late.sh")], {
      env: { PATH: process.env["PATH"] ?? "", HOME: "/tmp", ...env, CLEW_MARK: mark },
      stdio: "ignore",
      detached: true,
    });
    child.unref();
    await until(() => done.exists());
    expect(repo.text("said")).toContain("was started by the step 2026-11-01-other:attack");
    expect((await showRun(repo, "proj-1")).status).toBe("pending_merge");
  });

  test("G12 nor does a program that git starts for whoever only looks", async () => {
    using repo = await waiting();
    const monitor = join(repo.root, ".git/monitor.sh");
    const approve = `"${process.execPath}" "${program}" run approve proj-1 >> "${repo.root}/said" 2>&1`;
    writeFileSync(monitor, `#!/bin/sh\ncd "${repo.root}"\n${approve}\n`, { mode: 0o755 });
    repo.git("config", "core.fsmonitor", monitor);
    repo.git("config", "filter.sneaky.clean", `sh -c 'cat; ${approve.replaceAll('"', '\\"')}'`);
    repo.put(".git/info/attributes", "* filter=sneaky\n");
    repo.put("kept.txt", "kept\nand changed\n", repo.worktree);
    await repo.clew("run", "diff", "proj-1");
    await repo.clew("worktree", "list");
    expect((await showRun(repo)).status).toBe("pending_merge");
    expect(signalsOf(repo)).toEqual([]);
  });

  test("G12 but for a run that was begun below that very step", async () => {
    using repo = new MergeRepo(addFile);
    const own = '"$NODE" "$CLEW" run proj-1; "$NODE" "$CLEW" run approve proj-1 > ../../said 2>&1';
    const steps = `steps: [{name: own, type: script, command: ${JSON.stringify(own)}}]`;
    repo.put(".clew/grimoires/own.yaml", `name: own\ndescription: For a test.\n${steps}\n`);
    repo.put(".beads/issues.jsonl", `${repo.text(".beads/issues.jsonl")}{"id":"proj-2","title":"Own"}\n`);
    const { code } = await repo.run(["run", "proj-2", "--grimoire", "own"], { env });
    expect([code, repo.text("said")]).toEqual([0, expect.stringContaining("completed")]);
    expect(repo.text("new.txt")).toBe("new\n");
  });

  test("G12 a step of the run that was begun below gives none to it either", async () => {
    const inner = '"$NODE" "$CLEW" run cancel proj-1 > ../../said 2>&1; true';
    using repo = new MergeRepo(inner);
    const outer = '"$NODE" "$CLEW" run proj-1';
    const steps = `steps: [{name: outer, type: script, command: ${JSON.stringify(outer)}}]`;
    repo.put(".clew/grimoires/outer.yaml", `name: outer\ndescription: For a test.\n${steps}\n`);
    repo.put(".beads/issues.jsonl", `${repo.text(".beads/issues.jsonl")}{"id":"proj-2","title":"Outer"}\n`);
    await repo.run(["run", "proj-2", "--grimoire", "outer"], { env });
    expect(repo.text("said")).toContain("was started by the step");
  });
});

describe("G12 who said it", () => {
  test("G12 each verdict records user, terminal, process and time, and run show prints it", async () => {
    using repo = await waiting();
    expect((await repo.clewRun("reject", ["-r", "no tests"])).code).toBe(3);
    expect((await repo.clewRun("retry")).code).toBe(4);
    expect((await repo.clewRun("approve")).code).toBe(0);
    const { signals, journal } = await showRun(repo);
    expect(signals.map(({ kind, to, taken }) => [kind, to?.path, to?.attempt, taken])).toEqual([
      ["reject", "merge", 1, true],
      ["retry", "merge", 1, true],
      ["approve", "merge", 2, true],
    ]);
    for (const { by } of signals) {
      expect(by).toEqual({
        user: expect.stringMatching(/./) as string,
        terminal: null,
        pid: expect.any(Number) as number,
        command: expect.stringMatching(/^clew run /) as string,
        at: expect.stringMatching(/^\d{4}-/) as string,
      });
    }
    const written = linesOf(readFileSync(journal, "utf8")).filter((line) => line.type === "run.signal");
    expect(written.map(({ by }) => by)).toEqual(signals.map(({ by }) => by));
    const shown = await repo.clew("run", "show", "proj-1");
    expect(shown).toMatch(/signals +reject of merge by \w+ without a terminal, process \d+, [\d: -]+: no tests/);
  });
});

describe("S4 G14 a run's wait", () => {
  test("S4 an answer that anybody logs does not take it out of the inbox", async () => {
    using repo = await waiting();
    interface Items {
      items: { id: string; session_id: string; kind: string; text: string }[];
    }
    const { items: before } = await repo.json<Items>("inbox");
    const { id } = await showRun(repo);
    const [item] = before;
    const logged = await repo.run(["session", "log", "--batch", "-s", id], {
      input: `${JSON.stringify({ kind: "answer", id: item!.id, text: "approve" })}\n`,
    });
    expect([logged.code, logged.stderr]).toEqual([2, expect.stringContaining(`clew inbox answer ${item!.id}`)]);
    const file = repo.path(id);
    writeFileSync(file, `${readFileSync(file, "utf8")}\n> [!answer] ${item!.id}\n> approve\n`);
    await repo.clew("session", "show", id);
    const { items } = await repo.json<Items>("inbox");
    expect(items).toEqual(before);
    await repo.clew("inbox", "answer", item!.id, "approve");
    expect((await repo.clewRun("resume")).code).toBe(0);
    expect((await repo.json<Items>("inbox")).items).toEqual([]);
  });
});

describe("G12 verdicts that wait to be taken up", () => {
  async function answered(signal: Signal): Promise<MergeRepo> {
    const repo = await waiting();
    await leaveSignal(repo, signal);
    return repo;
  }

  test("G12 the newest counts: a reject after an approve lands nothing, and blocks", async () => {
    using repo = await answered({ kind: "approve" });
    expect((await repo.clewRun("reject", ["-r", "wait, no"])).code).toBe(3);
    expect(repo.text("new.txt")).toBeUndefined();
    expect((await showRun(repo)).signals.map(({ kind, taken }) => [kind, taken])).toEqual([
      ["approve", false],
      ["reject", true],
    ]);
  });

  test("G12 and an approve after a reject lands it", async () => {
    using repo = await answered({ kind: "reject", reason: "no" });
    expect((await repo.clewRun("approve")).code).toBe(0);
    expect(repo.text("new.txt")).toBe("new\n");
  });

  test("G12 they are shown, in the inbox and by run show", async () => {
    using repo = await answered({ kind: "approve" });
    expect((await showRun(repo)).signals).toMatchObject([{ kind: "approve", taken: null }]);
    expect(await repo.clew("run", "show", "proj-1")).toContain("(not taken up yet)");
    expect(await repo.clew("inbox")).toMatch(/answered with approve, which waits until the run goes on/);
  });
});

test("G12 an approval bound to its tree goes on with a landing that was cut off", async () => {
  using repo = await waiting();
  const { merge } = await showRun(repo);
  const hook = join(repo.root, ".git/hooks/post-merge");
  writeFileSync(hook, "#!/bin/sh\ntest -e go || { touch landed; sleep 60; }\n", { mode: 0o755 });
  const { child, outcome } = startClew(repo, ["run", "approve", "proj-1"]);
  await until(() => fileIn(repo, "landed").exists());
  treeOf(child.pid!).forEach(endNow);
  await outcome;
  repo.put("go", "");
  expect((await repo.refused(["run", "approve", "proj-1", "--tree", "0".repeat(40)])).message).toContain("not 000");
  expect((await repo.clewRun("approve", ["--tree", merge!.tree])).code).toBe(0);
  expect(await repo.beadStatus()).toBe("closed");
});
