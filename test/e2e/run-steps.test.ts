import { execFileSync, spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { write } from "../support/grimoires.ts";
import { endNow, processesWith } from "../support/processes.ts";
import { outcomeOf } from "../support/repo.ts";
import { RunRepo } from "../support/run-repo.ts";
import { until } from "../support/runs.ts";

interface Shown {
  run: {
    status: string;
    blocked_reason?: string;
    message?: string;
    steps: { path: string; attempt: number; status: string; output?: unknown; error?: string; summary?: string }[];
  };
}

const stepsOf = ({ run }: Shown): string[] =>
  run.steps.map(({ path, attempt, status }) => `${path}#${attempt} ${status}`);

describe("G16 what a run was started with", () => {
  test("G16 editing grimoire, spell, partial, settings or bead does not change a run that waits", async () => {
    using repo = new RunRepo(`
- name: gate
  type: script
  command: test -e ../../go
- name: ask
  type: agent
  spell: asking
- name: tell
  type: script
  command: echo {{.bead.title}} {{.word}} >> ../../notes
`);
    write(repo, ".clew/spells/asking.md", 'Old spell. {{include "part.md"}}');
    write(repo, ".clew/spells/part.md", "Old partial.");
    const env = repo.plays({ when: "Old spell. Old partial.", result: { success: true, summary: "as it was" } });
    expect((await repo.run(["run", "proj-1", "--var", "word=old"], { env })).code).toBe(3);
    write(repo, ".clew/spells/asking.md", "New spell.");
    write(repo, ".clew/spells/part.md", "New partial.");
    write(
      repo,
      ".clew/grimoires/flow.yaml",
      "name: flow\ndescription: d\nsteps: [{name: x, type: script, command: exit 9}]\n",
    );
    write(repo, ".beads/issues.jsonl", `${JSON.stringify({ id: "proj-1", title: "New title" })}\n`);
    write(repo, "go", "");
    // The file that the engine plays was pinned by its path when the run began.
    const { code, stderr } = await repo.run(["run", "retry", "latest"]);
    const kept = "the run keeps its own (clew run cancel, then clew run, takes the new one)\n";
    const changed = ["grimoires/flow.yaml", "spells/asking.md", "spells/part.md"];
    const words = changed.map((file) => `.clew/${file} changed since the run began; ${kept}`).join("");
    expect([code, stderr]).toEqual([0, words]);
    expect(repo.notes).toBe("Fix the login old\n");
  });
});

describe("G10 G17 loops that perform nothing", () => {
  const idle = `
- name: outer
  type: loop
  max_iterations: 1000
  on_max_iterations: exit
  steps:
    - name: inner
      type: loop
      max_iterations: 1000
      on_max_iterations: exit
      steps:
        - {name: never, type: script, when: false, command: exit 1}
`;

  test("G10 the run's limit counts for them", async () => {
    using repo = new RunRepo(idle);
    write(repo, ".clew/config.yaml", "default_grimoire: flow\nrun_timeout: 500ms\n");
    expect((await repo.run(["run", "proj-1"])).code).toBe(3);
    expect((await repo.json<Shown>("run", "show", "latest")).run).toMatchObject({ blocked_reason: "timeout" });
  });

  test.each(["SIGINT", "SIGTERM", "SIGHUP"] as const)("G17 they hear %s, and a cancel", async (signal) => {
    using repo = new RunRepo(idle);
    const child = repo.start(["run", "proj-1"]);
    const ended = outcomeOf(child);
    const journals = join(repo.home, "logs/workflows");
    const journalText = (): string => {
      const names = existsSync(journals) ? readdirSync(journals).filter((name) => name.endsWith(".jsonl")) : [];
      return names.map((name) => readFileSync(join(journals, name), "utf8")).join("");
    };
    await until(() => journalText().includes("loop.iteration"));
    child.kill(signal);
    expect((await ended).code).toBe(130);
    const driver = repo.start(["run", "proj-1"]);
    const driven = outcomeOf(driver);
    // Otherwise the cancel may come first, and the driver begins another run.
    await until(() => journalText().match(/"run\.driven"/g)?.length === 2);
    expect((await repo.run(["run", "cancel", "proj-1"])).code).toBe(0);
    expect((await driven).code).toBe(1);
  });
});

describe("G10 processes", () => {
  test("G10 what a killed clew left running is ended by the next start, also what left its group", async () => {
    using repo = new RunRepo(`
- name: work
  type: script
  command: |
    echo begun >> ../../notes
    test -e ../../go && exit
    setsid sh -c 'sleep 300 & wait' &
    sleep 300
`);
    const mark = `left-${process.pid}-${Math.random()}`;
    const env = { MARK: mark };
    const child = repo.start(["run", "proj-1"], { env });
    const ended = outcomeOf(child);
    await until(() => processesWith(mark).length >= 5);
    endNow(child.pid!);
    await ended;
    const left = processesWith(mark);
    expect(left.length).toBeGreaterThanOrEqual(3);
    write(repo, "go", "");
    expect((await repo.run(["run", "resume", "latest"])).code).toBe(0);
    expect(processesWith(mark)).toEqual([]);
    expect(repo.notes).toBe("begun\nbegun\n");
  });

  test("G8 values stand in files outside the repository, which are gone afterwards, also after a kill", async () => {
    using repo = new RunRepo(`
- name: work
  type: script
  command: |
    echo {{.bead.title}} >> ../../notes
    while [ ! -e ../../go ]; do sleep 0.02; done
`);
    const temp = mkdtempSync(join(tmpdir(), "clew-values-"));
    const env = { TMPDIR: temp };
    const child = repo.start(["run", "proj-1"], { env });
    const ended = outcomeOf(child);
    await until(() => repo.notes !== "");
    expect(readdirSync(temp)).toHaveLength(1);
    endNow(child.pid!);
    await ended;
    write(repo, "go", "");
    expect((await repo.run(["run", "resume", "latest"], { env })).code).toBe(0);
    expect(readdirSync(temp)).toEqual([]);
    rmSync(temp, { recursive: true });
  });
});

describe("G15 the log", () => {
  test("G15 a long output stands in a file named by its hash, and later steps get all of it, also after a kill", async () => {
    using repo = new RunRepo(`
- name: print
  type: script
  command: seq 1 40000
- name: count
  type: script
  command: |
    printf '%s\\n' {{.print.output}} | wc -l >> ../../notes
    while [ ! -e ../../go ]; do sleep 0.02; done
`);
    const child = repo.start(["run", "proj-1"]);
    const ended = outcomeOf(child);
    await until(() => repo.notes !== "");
    endNow(child.pid!);
    await ended;
    write(repo, "go", "");
    await repo.clew("run", "resume", "latest");
    expect(repo.notes.trim().split(/\s+/)).toEqual(["40000", "40000"]);
    const id = await repo.runId();
    const completed = repo.journal(id).find((line) => line.type === "workflow.step.completed")!;
    const file = join(repo.home, "logs/workflows", id, `${completed.output_file!.sha256}.txt`);
    const sum = execFileSync("sha256sum", [file], { encoding: "utf8" }).split(" ")[0];
    expect(sum).toBe(completed.output_file!.sha256);
    expect(readFileSync(file, "utf8").split("\n")).toHaveLength(40000);
  });

  test("D7 a secret in an output is redacted before the disk, and the variable is the same live and resumed", async () => {
    const secret = `s${"3cr".repeat(9)}`;
    using repo = new RunRepo(`
- name: leak
  type: script
  command: printf '%s\\n' "$DEPLOY_TOKEN"
- name: live
  type: script
  command: echo {{.leak.output}} >> ../../notes
- name: wait
  type: script
  command: test -e ../../go
- name: resumed
  type: script
  command: echo {{.leak.output}} >> ../../notes
`);
    const env = { DEPLOY_TOKEN: secret };
    expect((await repo.run(["run", "proj-1"], { env })).code).toBe(3);
    write(repo, "go", "");
    expect((await repo.run(["run", "retry", "latest"], { env })).code).toBe(0);
    expect(repo.notes).toBe("[redacted:env DEPLOY_TOKEN]\n".repeat(2));
    expect(spawnSync("grep", ["-r", secret, repo.root]).status).toBe(1);
  });

  test("D7 a run that would write a secret down, or do something else than was written, is refused", async () => {
    const secret = `S3cr3t${"Pass9".repeat(3)}`;
    using repo = new RunRepo(`- {name: x, type: script, command: 'echo {{.db_password}} >> ../../notes'}`);
    const byName = await repo.refused(["run", "proj-1", "--var", `db_password=${secret}`]);
    expect(byName).toMatchObject({
      code: "invalid_input",
      message: expect.stringContaining("--var db_password") as string,
    });
    write(
      repo,
      ".clew/grimoires/flow.yaml",
      `name: flow\ndescription: d\nsteps: [{name: dump, type: script, command: "PGPASSWORD=${secret} psql"}]\n`,
    );
    const inScript = await repo.refused(["run", "proj-1"]);
    expect(inScript).toMatchObject({
      code: "invalid_grimoire",
      message: expect.stringContaining("step dump") as string,
    });
    expect(spawnSync("grep", ["-r", secret, repo.home]).status).toBe(1);
    expect(repo.notes).toBe("");
  });

  test("G8 raw is honoured and told as a warning", async () => {
    using repo = new RunRepo("- name: x\n  type: script\n  command: '{{raw .cmd}}'\n");
    await repo.clew("run", "proj-1", "--var", "cmd=echo raw >> ../../notes");
    expect(repo.notes).toBe("raw\n");
    const warnings = repo.journal(await repo.runId()).filter(({ type }) => type === "step.warning");
    expect(warnings).toMatchObject([{ path: "x", message: expect.stringContaining("raw") as string }]);
  });
});

describe("G9 agent steps", () => {
  const ask = `
- name: ask
  type: agent
  spell: |
    Please
    do it.
- name: tell
  type: script
  command: echo {{.ask.summary}} {{.ask.outputs.count}} >> ../../notes
`;

  test("G9 G15 an agent's result is the step's, and all it did is in the log as it happened", async () => {
    using repo = new RunRepo(ask);
    const env = repo.plays(
      { think: "Let me see.", say: "I write it.", write: { path: "made.txt", content: "made\n" } },
      { run: "cat made.txt", usage: { input: 100, output: 20 } },
      { result: { success: true, summary: "made it", outputs: { count: 3 } } },
    );
    expect(await repo.run(["run", "proj-1"], { env })).toMatchObject({ code: 0 });
    expect(repo.notes).toBe("made it 3\n");
    expect(readFileSync(join(repo.root, ".worktrees/proj-1/made.txt"), "utf8")).toBe("made\n");
    const lines = repo.journal(await repo.runId());
    const types = lines.map(({ type }) => type).filter((type) => type.startsWith("agent."));
    expect(types).toEqual(
      expect.arrayContaining(["agent.init", "agent.thinking", "agent.message", "agent.tool_call", "agent.tool_result"]),
    );
    expect(lines.find(({ type }) => type === "agent.tool_result")).toMatchObject({
      duration_ms: expect.any(Number) as number,
    });
    expect(lines.find((line) => line.type === "workflow.step.completed")).toMatchObject({
      usage: { input_tokens: 100, output_tokens: 20 },
    });
    expect(lines.at(-1)).toMatchObject({ type: "workflow.completed", usage: { input_tokens: 100, output_tokens: 20 } });
    const transcripts = readdirSync(join(repo.home, "transcripts"), { recursive: true, encoding: "utf8" });
    expect(transcripts.some((name) => /scripted-.*\.jsonl$/.test(name))).toBe(true);
  });

  test.each([
    ["no result", [{ say: "I think that is all." }], "not the JSON object"],
    ["a result without a summary", [{ result: { success: true } }], "has no summary"],
    ["a result that says no", [{ result: { success: false, summary: "too hard" } }], "too hard"],
    ["an engine that fails", [{ fail: "out of tokens" }], "out of tokens"],
    ["no turn to play", [{ when: "something else", say: "x" }], "no turn"],
    ["an engine that dies", [{ run: "kill -9 $PPID" }], "without a result"],
  ])("G9 %s fails the step like a script", async (_, turns, words) => {
    using repo = new RunRepo(ask);
    const { code } = await repo.run(["run", "proj-1"], { env: repo.plays(...turns) });
    expect(code).toBe(3);
    const { run } = await repo.json<Shown>("run", "show", "latest");
    expect(run).toMatchObject({ blocked_reason: "step_failed", message: expect.stringContaining(words) as string });
    expect(repo.notes).toBe("");
  });

  test("W2 an engine that this version does not have is refused before anything runs", async () => {
    using repo = new RunRepo(ask);
    const error = await repo.refused(["run", "proj-1", "--engine", "hal"]);
    expect(error).toMatchObject({ code: "unknown_engine", hint: expect.stringContaining("scripted") as string });
    expect((await repo.json<{ runs: unknown[] }>("run", "list")).runs).toEqual([]);
  });
});

describe("G14 events", () => {
  test("G14 several runs at once number their events without a gap, each address once", async () => {
    using repo = new RunRepo(`
- name: l
  type: loop
  max_iterations: 15
  on_max_iterations: exit
  steps:
    - name: x
      type: script
      command: 'true'
    - name: never
      type: script
      when: false
      command: exit 1
`);
    const ids = Array.from({ length: 4 }, (_, at) => `proj-${at + 1}`);
    writeFileSync(
      join(repo.root, ".beads/issues.jsonl"),
      ids.map((id) => `${JSON.stringify({ id, title: `Bead ${id}` })}\n`).join(""),
    );
    const outcomes = await Promise.all(ids.map((id) => repo.run(["run", id])));
    expect(outcomes.map(({ code }) => code)).toEqual([0, 0, 0, 0]);
    const { stdout } = await repo.run(["run", "log", "--all", "--json"]);
    const events = stdout
      .trimEnd()
      .split("\n")
      .map(
        (line) => JSON.parse(line) as { n: number; workflow_id: string; type: string; path?: string; status?: string },
      );
    expect(events.map(({ n }) => n)).toEqual(events.map((_, at) => at + 1));
    const skipped = events
      .filter(({ status }) => status === "skipped")
      .map(({ path, workflow_id }) => `${workflow_id} ${path}`);
    expect(new Set(skipped).size).toBe(60);
    expect(skipped[0]).toMatch(/l\[1\]\/never$/);
  });

  test("G14 blocked tells why, what was seen, each iteration, where, and what can be done", async () => {
    using repo = new RunRepo(`
- name: quality
  type: loop
  max_iterations: 2
  steps:
    - name: tests
      type: script
      on_fail: continue
      on_success: exit_loop
      command: echo "2 tests failed"; exit 1
`);
    const { code, stdout } = await repo.run(["run", "proj-1", "--json"]);
    expect(code).toBe(3);
    const events = stdout
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line) as Record<string, unknown>);
    const blocked = events.find(({ type }) => type === "workflow.blocked");
    const id = await repo.runId();
    expect(blocked).toMatchObject({
      path: "quality",
      blocked_reason: "max_iterations",
      iteration_summaries: [
        { path: "quality", iteration: 1, summary: "tests failed (exit 1)" },
        { path: "quality", iteration: 2 },
      ],
      worktree: join(repo.root, ".worktrees/proj-1"),
      actions: [`clew run retry ${id}`, `clew run cancel ${id}`],
    });
    expect(stepsOf(events.at(-1) as unknown as Shown)).toEqual([
      "quality#1 waiting",
      "quality[1]/tests#1 failed",
      "quality[2]/tests#1 failed",
    ]);
    expect(existsSync(join(repo.home, "state/workflows", `${id}.json`))).toBe(true);
  });
});
