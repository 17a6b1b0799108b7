import { execFileSync, spawn } from "node:child_process";
import { readFileSync, statSync } from "node:fs";
import { resolve } from "node:path";
import { describe, expect, test } from "vitest";
import { bead, write, writeBead, writeSteps } from "../support/grimoires.ts";
import { outcomeOf, Repo } from "../support/repo.ts";
import {
  fileIn,
  flowArgs,
  readStream,
  runFlow,
  script,
  showRun,
  startClew,
  until,
  writeFlow,
  type StepSource,
} from "../support/runs.ts";

/** A step that tells that it began, and then waits to be let go on. */
const waits = script("wait", "echo begun >> ../../begun; while [ ! -e ../../go ]; do sleep 0.05; done");
/** Fails until `--input answer=yes`. */
const asks = script("ask", "echo checking; echo 'the answer is wrong' >&2; test {{default \"no\" .answer}} = yes");

describe("clew run", () => {
  test("G14 tells what is finished, one plain line an event, and exits with 0", async () => {
    using repo = new Repo();
    writeFlow(repo, script("one", "echo hello"), script("never", "true", { when: false }), script("two", "true"));
    const { code, stdout, stderr } = await runFlow(repo);
    expect([code, stderr]).toEqual([0, ""]);
    const lines = stdout.trimEnd().split("\n");
    const { id } = await showRun(repo);
    expect(lines[0]).toBe(`Fix the login  proj-1 · flow · run ${id}`);
    expect(lines.slice(1).map((line) => line.replace(/ {2}\d+ m?s$/, ""))).toEqual([
      "▸ one  script",
      "✓ one",
      "– never  skipped",
      "▸ two  script",
      "✓ two",
      "✓ completed",
      "  bead proj-1 is closed",
      "  its worktree is gone: .worktrees/proj-1",
    ]);
  });

  test("G14 --json streams the numbered events, and ends with the run", async () => {
    using repo = new Repo();
    writeFlow(repo, script("one", "echo hello"), script("two", "echo {{.one.output}}"));
    const { code, stdout } = await runFlow(repo, ["--json"]);
    const { events, run } = readStream(stdout);
    expect(code).toBe(0);
    expect(events.map(({ n }) => n)).toEqual([1, 2, 3, 4, 5, 6]);
    expect(events.map(({ type }) => type)).toEqual([
      "workflow.started",
      "workflow.step.started",
      "workflow.step.completed",
      "workflow.step.started",
      "workflow.step.completed",
      "workflow.completed",
    ]);
    expect(new Set(events.map(({ workflow_id }) => workflow_id))).toEqual(new Set([run.id]));
    expect(run).toMatchObject({ bead_id: "proj-1", grimoire: "flow", status: "completed" });
    expect(run.steps.map(({ path, output }) => [path, output])).toEqual([
      ["one", "hello"],
      ["two", "hello"],
    ]);
    expect(await showRun(repo)).toEqual(run);
  });

  test("G16 --var and --engine are part of the run", async () => {
    using repo = new Repo();
    writeFlow(repo, script("say", 'echo "{{.word}} {{.number}}"'));
    const args = ["--var", "word=two words", "--var", "number=3", "--engine", "scripted", "--json"];
    const { run } = readStream((await runFlow(repo, args)).stdout);
    expect(run.steps[0]!.output).toBe("two words 3");
    expect((await repo.refused([...flowArgs, "--var", "bead=x"])).code).toBe("usage");
  });

  test("G17 a run that blocks says what, where and how to go on; its bead gets no second one", async () => {
    using repo = new Repo();
    writeFlow(repo, asks);
    const { code, stdout } = await runFlow(repo);
    const { id } = await showRun(repo);
    expect(code).toBe(3);
    const told = [
      "⏸ blocked at ask: exited with 1",
      `  worked in ${repo.root}/.worktrees/proj-1`,
      "  last output of ask",
      "  │ checking",
      "  │ the answer is wrong",
      "  go on with",
      `    clew run retry ${id}   once it is mended; --input NAME=VALUE changes a variable`,
      `    clew run cancel ${id}  give it up`,
      `    clew run show ${id}    what happened so far`,
      `    clew run log ${id}     every line of it`,
      "",
    ].join("\n");
    expect(stdout.endsWith(told)).toBe(true);
    for (const args of [["run", "proj-1"], flowArgs, ["run", "resume", "latest"]]) {
      const again = await repo.run(args);
      expect([args, again.code, again.stdout.endsWith(told)]).toEqual([args, 3, true]);
    }
    const unheard = await repo.run(["run", "proj-1", "--var", "answer=yes"]);
    expect(unheard.stderr).toBe(`run ${id} goes on as it was started, without regard to --var\n`);
    const { run, events } = readStream((await repo.run(["run", "proj-1", "--json"])).stdout);
    expect([run.status, run.blocked_reason, events]).toEqual(["blocked", "step_failed", []]);
    expect((await repo.json<{ runs: object[] }>("run", "list")).runs).toHaveLength(1);
  });

  test("G17 retry goes on from the blocked step with other inputs", async () => {
    using repo = new Repo();
    writeFlow(repo, script("count", "echo once >> ../../counted"), asks);
    expect((await runFlow(repo)).code).toBe(3);
    expect((await repo.run(["run", "retry", "proj-1", "--input", "answer=maybe"])).code).toBe(3);
    const { code, stdout } = await repo.run(["run", "retry", "proj-1", "--input", "answer=yes"]);
    expect(code).toBe(0);
    expect(stdout).toContain("☞ retry with answer\n▸ ask (attempt 3)  script\n✓ ask (attempt 3)");
    expect(fileIn(repo, "counted").lines()).toEqual(["once"]);
    const { steps } = await showRun(repo);
    expect(steps.map(({ path, attempt, status }) => `${path}#${attempt} ${status}`)).toEqual([
      "count#1 succeeded",
      "ask#1 failed",
      "ask#2 failed",
      "ask#3 succeeded",
    ]);
    const refused = await repo.refused(["run", "retry", "proj-1"]);
    expect(refused).toMatchObject({ code: "not_possible_now", message: expect.stringContaining("is completed") });
  });

  test("G9 a loop that came to no end shows its iterations, and what failed in the last one", async () => {
    using repo = new Repo();
    writeFlow(repo, {
      name: "quality",
      type: "loop",
      max_iterations: 2,
      on_max_iterations: "block",
      steps: [
        script("test", "echo {{.iteration}} failing; false", { on_fail: "continue", on_success: "exit_loop" }),
        script("fix", "echo fixed"),
      ],
    });
    const { code, stdout } = await runFlow(repo);
    expect(code).toBe(3);
    expect(stdout).toContain("⏸ blocked at quality: ");
    expect(stdout).toContain(
      "  last output of quality[2]/test\n  │ 2 failing\n  iterations of quality\n    1 test failed",
    );
    const shown = await repo.clew("run", "show", "latest");
    expect(shown.replace(/ +\d+ m?s/g, "")).toContain(
      [
        "  ⏸ quality   loop",
        "    iteration 1",
        "      ✗ test · exit 1",
        "      ✓ fix",
        "    iteration 2",
        "      ✗ test · exit 1",
        "      ✓ fix",
        "",
        "⏸ blocked at quality",
      ].join("\n"),
    );
  });

  test("G7 a condition that gives no boolean fails the run: exit 1, and the commands to go on", async () => {
    using repo = new Repo();
    writeFlow(repo, agent("ask"), script("then", "true", { when: "{{.ask.outputs.sure}}" }));
    write(repo, "play.yaml", 'turns: [{result: {success: true, summary: Asked, outputs: {sure: "maybe"}}}]');
    const { code, stdout } = await runFlow(repo, ["--engine", "scripted"], { env: { CLEW_SCRIPT: "play.yaml" } });
    expect([code, (await showRun(repo)).status]).toEqual([1, "failed"]);
    expect(stdout).toContain("⏸ failed at then: ");
    expect(stdout).toContain("clew run retry ");
  });

  test("G10 a step that takes too long is told so", async () => {
    using repo = new Repo();
    writeFlow(repo, script("slow", "sleep 600", { timeout: "300ms" }));
    const { code, stdout } = await runFlow(repo);
    expect(code).toBe(3);
    expect(stdout).toContain("⏸ blocked at slow: took longer than 300ms");
  });
});

describe("several at one run", () => {
  test("G17 cancel from another process ends the step, the run and the one who drives it", async () => {
    using repo = new Repo();
    writeFlow(repo, waits, script("after", "touch ../../after"));
    const driver = startClew(repo, flowArgs);
    await until(() => fileIn(repo, "begun").exists());
    const cancel = await repo.run(["run", "cancel", "proj-1", "--json"]);
    expect(cancel.code).toBe(0);
    expect(JSON.parse(cancel.stdout)).toMatchObject({ run: { status: "cancelled" } });
    const { code, stdout } = await driver.outcome;
    expect(code).toBe(1);
    expect(stdout).toContain("☞ cancel\n");
    expect(stdout).toMatch(/■ wait {2}stopped · .*\n– cancelled/);
    expect(fileIn(repo, "after").exists()).toBe(false);
    const again = await repo.run(["run", "resume", "latest"]);
    expect([again.code, again.stdout.includes("– cancelled")]).toEqual([1, true]);
    expect((await repo.refused(["run", "cancel", "latest"])).message).toContain("is cancelled");
  });

  test("G17 a blocked run is cancelled by whoever says so", async () => {
    using repo = new Repo();
    writeFlow(repo, asks);
    await runFlow(repo);
    const { code, stdout, stderr } = await repo.run(["run", "cancel", "latest"]);
    expect([code, stderr]).toEqual([0, expect.stringMatching(/^its worktree is now \S.*proj-1\.2\d+-.*\n$/)]);
    expect(stdout).toMatch(/☞ cancel\n– cancelled/);
  });

  test("G13 whoever wants a bead that is worked on follows, and sees the same end", async () => {
    using repo = new Repo();
    writeFlow(repo, waits, script("after", "true"));
    const driver = startClew(repo, flowArgs);
    await until(() => fileIn(repo, "begun").exists());
    const followers = [startClew(repo, flowArgs), startClew(repo, ["run", "resume", "latest", "--json"])];
    for (const each of followers) await until(() => each.printed().includes("another process drives this run"));
    write(repo, "go", "");
    const ends = await Promise.all([driver, ...followers].map((each) => each.outcome));
    expect(ends.map(({ code }) => code)).toEqual([0, 0, 0]);
    expect(ends[1]!.stdout).toMatch(/✓ after .*\n✓ completed/);
    expect(readStream(ends[2]!.stdout).run.status).toBe("completed");
    expect(ends[2]!.stderr).toBe("another process drives this run; following it\n");
    expect(fileIn(repo, "begun").lines()).toEqual(["begun"]);
    expect((await repo.json<{ runs: object[] }>("run", "list")).runs).toHaveLength(1);
  });

  test("G16 Ctrl-C stops whoever follows, and not the run", async () => {
    using repo = new Repo();
    writeFlow(repo, waits);
    const driver = startClew(repo, flowArgs);
    await until(() => fileIn(repo, "begun").exists());
    const follower = startClew(repo, ["run", "proj-1"]);
    await until(() => follower.printed().includes("following it"));
    follower.child.kill("SIGINT");
    const { code, stdout } = await follower.outcome;
    expect([code, stdout.includes("▸ another process goes on with it")]).toEqual([130, true]);
    write(repo, "go", "");
    expect((await driver.outcome).code).toBe(0);
  });
});

describe("Ctrl-C", () => {
  test("G16 stops the run so that it can be resumed; what was done is not done again", async () => {
    using repo = new Repo();
    writeFlow(repo, script("count", "echo once >> ../../counted"), waits);
    const driver = startClew(repo, flowArgs);
    await until(() => fileIn(repo, "begun").exists());
    driver.child.kill("SIGINT");
    const { code, stdout } = await driver.outcome;
    const { id, status } = await showRun(repo);
    expect([code, status]).toEqual([130, "interrupted"]);
    expect(stdout).toContain(`stopping; the run can be resumed: clew run resume ${id}\n`);
    expect(stdout).toContain("⏸ stopped by a person (Ctrl-C) at wait, which is done again\n");
    write(repo, "go", "");
    const resumed = await repo.run(["run", "resume", id.slice(0, -2)]);
    expect(resumed.code).toBe(0);
    expect(fileIn(repo, "counted").lines()).toEqual(["once"]);
    expect(fileIn(repo, "begun").lines()).toEqual(["begun", "begun"]);
    const over = await repo.run(["run", "resume", id]);
    expect([over.code, over.stdout.includes("✓ completed")]).toEqual([0, true]);
  });

  test("G16 with --json the last line is the run, and the word for the person is on stderr", async () => {
    using repo = new Repo();
    writeFlow(repo, waits);
    const driver = startClew(repo, [...flowArgs, "--json"]);
    await until(() => fileIn(repo, "begun").exists());
    driver.child.kill("SIGINT");
    const { code, stdout, stderr } = await driver.outcome;
    expect([code, readStream(stdout).run.status]).toEqual([130, "interrupted"]);
    expect(stderr).toMatch(/^stopping; the run can be resumed: clew run resume \S+\n$/);
    write(repo, "go", "");
    expect((await repo.run(["run", "proj-1"])).code).toBe(0);
  });

  test("G16 the second one ends the program at once; the run goes on later all the same", async () => {
    using repo = new Repo();
    writeFlow(
      repo,
      script("deaf", "trap '' TERM; echo begun >> ../../begun; while [ ! -e ../../go ]; do sleep 0.05; done"),
    );
    const driver = startClew(repo, flowArgs);
    await until(() => fileIn(repo, "begun").exists());
    driver.child.kill("SIGINT");
    await until(() => driver.printed().includes("stopping"));
    driver.child.kill("SIGINT");
    expect((await driver.outcome).signal).toBe("SIGINT");
    write(repo, "go", "");
    expect((await repo.run(["run", "proj-1"])).code).toBe(0);
  });

  test("G16 whoever stops reading stops the run, which is told and can be resumed", async () => {
    using repo = new Repo();
    writeFlow(
      repo,
      script("one", "true"),
      waits,
      ...Array.from({ length: 9 }, (_, at) => script(`more-${at}`, "true")),
    );
    const driver = startClew(repo, flowArgs);
    await until(() => fileIn(repo, "begun").exists());
    driver.child.stdout!.destroy();
    write(repo, "go", "");
    const { code, stderr } = await driver.outcome;
    const { id, status } = await showRun(repo);
    expect([code, status]).toEqual([1, "interrupted"]);
    expect(stderr).toBe(
      `nobody reads the output any more, so the run was stopped: clew run resume ${id} goes on with it\n`,
    );
    expect((await repo.run(["run", "resume", id])).code).toBe(0);
  });
});

describe("looking at runs", () => {
  test("G14 list, show and log have the promised shapes", async () => {
    using repo = new Repo();
    writeFlow(repo, asks);
    await runFlow(repo);
    await repo.run(["run", "cancel", "latest"]);
    await runFlow(repo);
    const list = await repo.json<{ runs: { id: string; status: string }[]; unreadable: object[] }>("run", "list");
    expect(list.unreadable).toEqual([]);
    expect(list.runs.map(({ status }) => status)).toEqual(["blocked", "cancelled"]);
    expect(list.runs[0]).toMatchObject({
      bead_id: "proj-1",
      grimoire: "flow",
      progress: { done: 0, total: 1 },
      started: expect.stringMatching(/^\d{4}-.*Z$/),
      worktree: `${repo.root}/.worktrees/proj-1`,
    });
    expect((await repo.json<{ runs: object[] }>("run", "list", "--status", "cancelled")).runs).toEqual([list.runs[1]]);
    const table = (await repo.clew("run", "list")).split("\n");
    expect(table[0]).toMatch(/^RUN +STATUS +STEPS +BEAD +TITLE +STARTED +GRIMOIRE$/);
    expect(table[1]).toMatch(
      new RegExp(`^${list.runs[0]!.id} +blocked +0/1 {2}proj-1 {2}Fix the login +\\d+ s ago +flow$`),
    );

    const run = await showRun(repo, list.runs[0]!.id);
    expect(run).toMatchObject({ blocked_reason: "step_failed", message: "exited with 1" });
    expect(run.blocked_context).toMatchObject({ exit_code: 1, stderr: "the answer is wrong\n" });
    const journal = readFileSync(run.journal, "utf8");
    expect(await repo.clew("run", "log", run.id, "--json")).toBe(journal.trimEnd());
  });

  test("G14 log --all --json: the numbered events of all runs, without a gap", async () => {
    using repo = new Repo();
    writeFlow(repo, script("one", "true"));
    await runFlow(repo);
    await repo.clew("bead", "update", "proj-1", "--status", "open");
    await runFlow(repo);
    const lines = (await repo.clew("run", "log", "--all", "--json")).split("\n");
    const events = lines.map((line) => JSON.parse(line) as { n: number; workflow_id: string });
    expect(events.map(({ n }) => n)).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
    expect(new Set(events.map(({ workflow_id }) => workflow_id)).size).toBe(2);
    const shown = (await repo.clew("run", "log", "--all")).split("\n");
    expect(shown).toHaveLength(8);
    expect(shown[7]).toMatch(new RegExp(`^ {4}8 {2}${events[7]!.workflow_id} {2}\\d\\d:\\d\\d:\\d\\d {2}✓ completed`));
  });

  test("G15 log -f goes on until the run ends, log --all -f until Ctrl-C", async () => {
    using repo = new Repo();
    writeFlow(repo, waits, script("after", "echo after"));
    const driver = startClew(repo, flowArgs);
    await until(() => fileIn(repo, "begun").exists());
    const one = startClew(repo, ["run", "log", "latest", "-f"]);
    const all = startClew(repo, ["run", "log", "--all", "-f", "--json"]);
    for (const each of [one, all]) await until(() => each.printed().includes("wait"));
    write(repo, "go", "");
    expect((await driver.outcome).code).toBe(0);
    const followed = await one.outcome;
    expect(followed.code).toBe(0);
    expect(followed.stdout).toBe(`${await repo.clew("run", "log", "latest")}\n`);
    await until(() => all.printed().includes("workflow.completed"));
    all.child.kill("SIGINT");
    expect(await all.outcome).toMatchObject({
      code: 0,
      stdout: `${await repo.clew("run", "log", "--all", "--json")}\n`,
    });
  });

  test("G15 the log of an agent step: prompt, what it says and does, its result and tokens", async () => {
    using repo = new Repo();
    writeFlow(repo, agent("work"));
    write(
      repo,
      "play.yaml",
      `turns:
  - think: Hm.
    say: I look.
    run: echo looked
    usage: {input: 1200, output: 34}
  - result: {success: true, summary: Done}
`,
    );
    const { code } = await runFlow(repo, ["--engine", "scripted"], { env: { CLEW_SCRIPT: "play.yaml" } });
    expect(code).toBe(0);
    const log = (await repo.clew("run", "log", "latest")).replace(/^\d\d:\d\d:\d\d {2}/gm, "");
    for (const part of [
      "▸ work  agent\n            › Work on it.\n",
      "  thinks\n            │ Hm.\n",
      "  says\n            │ I look.\n",
      "echo looked\n",
      "            │ looked",
    ])
      expect(log).toContain(part);
    expect(log).toMatch(/✓ work {2}.* · 1,234 tokens · Done\n/);
    expect(await repo.clew("run", "show", "latest")).toContain("  used     1,234 tokens");
  });

  test("G15 an output that is too long for the journal: its file is told, and there", async () => {
    using repo = new Repo();
    writeFlow(repo, script("big", "yes line | head -n 20000; echo 'the reason' >&2; false"));
    const { stdout } = await runFlow(repo);
    expect(stdout).toContain("  last output of big\n  │ the reason\n  whole output: 99,999 bytes in ");
    const file = / bytes in (.*)\n/.exec(stdout)![1]!;
    expect(statSync(file).size).toBe(99_999);
    expect(await repo.clew("run", "log", "latest")).toContain(`whole output: 99,999 bytes in ${file}`);
  });

  test("G15 what steps and beads say cannot control the terminal", async () => {
    using repo = new Repo();
    writeFlow(repo, script("evil", "printf '\\033[2J\\033]0;x\\007gone\\n'; false"));
    writeBead(repo, { ...bead, title: "Fix \u001b[31mthis\u001b[0m" });
    const { stdout } = await runFlow(repo);
    const seen = [
      stdout,
      ...(await Promise.all(["list", "show latest", "log latest"].map((args) => repo.clew("run", ...args.split(" "))))),
    ];
    for (const text of seen) expect(/[\u0000-\u0009\u000b-\u001f]/.test(text)).toBe(false);
    expect(stdout).toContain("│ ␛[2J␛]0;x␇gone");
  });
});

describe("the words of the command line", () => {
  test("every command of run has --help with an example", async () => {
    using repo = new Repo();
    const names = ["run", ...["list", "show", "log", "resume", "retry", "cancel"].map((name) => `run ${name}`)];
    const helps = await Promise.all(names.map(async (name) => [name, await repo.clew(...name.split(" "), "--help")]));
    const lacking = helps.filter(
      ([name, help]) => !help!.includes("\n  $ clew run ") || !help!.startsWith(`Usage: clew ${name}`),
    );
    expect(lacking.map(([name]) => name)).toEqual([]);
  });

  test("a misspelt command is no bead: it is refused with a suggestion", async () => {
    using repo = new Repo();
    writeFlow(repo, script("one", "true"));
    const which = { code: "usage", message: "which run?", hint: expect.stringContaining("clew run log ID") };
    const refused: [args: string[], error: object][] = [
      [["lsit"], { code: "usage", message: "'lsit' is neither a bead nor a command", hint: "did you mean list?" }],
      [["shwo", "latest"], { code: "usage", message: "unknown command 'shwo'", hint: "did you mean show?" }],
      [
        ["list", "--stauts", "x"],
        { code: "usage", message: "unknown option '--stauts'", hint: "did you mean --status?" },
      ],
      [["proj-2"], { code: "unknown_bead", hint: "did you mean proj-1?" }],
      [["somewhere-else"], { code: "unknown_bead", hint: "clew bead list shows what there is" }],
      [["proj-1", "proj-1"], { code: "usage", message: "one bead at a time" }],
      [[], { code: "usage", message: "which bead?" }],
      [["log"], which],
      [["log", "x", "--all"], which],
      [["show", "x"], { code: "unknown_run", message: "there are no runs yet" }],
    ];
    for (const [args, error] of refused) expect(await repo.refused(["run", ...args])).toMatchObject(error);
    await runFlow(repo);
    const { id } = await showRun(repo);
    expect(await repo.refused(["run", id])).toMatchObject({ message: `${id} is a run, not a bead` });
  });

  test("a bead that is called like a command stands behind --", async () => {
    using repo = new Repo();
    writeBead(repo, { ...bead, id: "list" });
    writeSteps(repo, `- ${JSON.stringify(script("one", "true"))}`);
    for (const args of [
      ["--grimoire", "flow", "--", "list"],
      ["--json", "--grimoire", "flow", "--", "list"],
    ]) {
      expect((await repo.run(["run", ...args])).code).toBe(0);
      await repo.clew("bead", "update", "list", "--status", "open");
    }
    const { runs } = await repo.json<{ runs: { bead_id: string }[] }>("run", "list");
    expect(runs.map(({ bead_id }) => bead_id)).toEqual(["list", "list"]);
    expect(await repo.json("run", "--json", "list")).toEqual(await repo.json("run", "list"));
  });
});

/** `script` gives a program a terminal; not every machine has it. */
const hasScript = works("script", "-qec", "true", "/dev/null");

describe("on a terminal", () => {
  test.runIf(hasScript)("G14 what runs now is drawn in place, and nothing of it stays", async () => {
    using repo = new Repo();
    const announce = "for i in 1 2 3 4; do echo working hard; sleep 0.2; done";
    writeFlow(repo, {
      name: "loop",
      type: "loop",
      max_iterations: 3,
      on_max_iterations: "exit",
      steps: [script("work", announce)],
    });
    const screen = await onTerminal(repo, flowArgs, { NO_COLOR: "1" });
    expect(screen.code).toBe(0);
    expect(screen.written).toMatch(/\x1b\[\?7l\S loop\[2\]\/work {2}iteration 2 of 3 · \d s · run \d s/);
    expect(screen.written).toContain("\n  working hard\r");
    expect(screen.written).not.toMatch(/\x1b\[\d*m/);
    // All drawing is gone: what stays are the lines that anybody may read later.
    expect(screen.stays.map((line) => line.replace(/ {2}\d+ m?s$/, ""))).toEqual([
      expect.stringMatching(/^Fix the login {2}proj-1 · flow · run/),
      "✓ loop[1]/work",
      "✓ loop[2]/work",
      "✓ loop[3]/work",
      "✓ loop",
      "✓ completed",
      "  bead proj-1 is closed",
      "  its worktree is gone: .worktrees/proj-1",
    ]);
  });

  test.runIf(hasScript)(
    "G14 colours have a meaning, and a dumb terminal gets neither colours nor drawing",
    async () => {
      using repo = new Repo();
      writeFlow(repo, script("one", "sleep 0.5"));
      expect((await onTerminal(repo, flowArgs)).written).toContain("\x1b[32m✓\x1b[39m one");
      expect((await onTerminal(repo, flowArgs, { TERM: "dumb" })).written).not.toContain("\x1b");
    },
  );
});

function agent(name: string): StepSource {
  return { name, type: "agent", spell: "Work on it.\n" };
}

function works(file: string, ...args: string[]): boolean {
  try {
    execFileSync(file, args, { stdio: "ignore" });
    return true;
  } catch {
    return false;
  }
}

/** Runs the program on a terminal. `stays`: the lines that are left when everything drawn was erased. */
async function onTerminal(repo: Repo, args: string[], env: Record<string, string> = {}) {
  const program = resolve(import.meta.dirname, "../../dist/clew.cjs");
  const quoted = [process.execPath, program, ...args].map((word) => `'${word}'`).join(" ");
  const child = spawn("script", ["-qec", quoted, "/dev/null"], {
    cwd: repo.root,
    env: { PATH: process.env["PATH"] ?? "", HOME: repo.root, TERM: "xterm", GIT_CONFIG_NOSYSTEM: "1", ...env },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const { code, stdout } = await outcomeOf(child);
  const written = stdout.replaceAll("\r\n", "\n");
  // An area of one or two lines is always erased before something else is written.
  const stays = written
    .replace(/\x1b\[\?7l[^\r]*\r\x1b\[\?7h(?:\x1b\[\d*A)?\r\x1b\[J/g, "")
    .trimEnd()
    .split("\n");
  return { code, written, stays };
}
