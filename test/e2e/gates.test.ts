import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { Evidence } from "../../src/contract/api/evidence.ts";
import { done, edit, GatedRepo, npmTest, runsTests, testScript } from "../support/gated-repo.ts";
import { showRun } from "../support/runs.ts";

describe("H4 an agent that did what its step requires goes on", () => {
  test("H3 H4 the merge's offer names the evidence for its very tree", async () => {
    using repo = new GatedRepo([npmTest]);
    const { code, run } = await repo.plays(edit, runsTests, done);
    expect([code, run.status]).toEqual([4, "pending_merge"]);
    const [written, tested] = await repo.evidence("--run", "proj-1");
    expect(written).toMatchObject({
      tool: "Write",
      kind: "edit",
      step: "implement",
      attempt: 1,
      exit: null,
      tree: null,
    });
    expect(tested).toMatchObject({ tool: "Bash", command: "npm test", exit: 0, run: run.id, failed: false });
    expect(tested!.witnesses).toContain("stream");
    expect(tested!.tree).toBe(run.merge!.tree);
    expect(run.merge!.proven).toEqual([
      { by: "evidence", path: "implement", attempt: 1, command: "npm test", said: "", id: tested!.id },
    ]);
    const shown = await repo.clew("evidence", "show", tested!.id);
    expect(shown).toContain(tested!.tree!);
    expect(await repo.clew("run", "show", "proj-1")).toContain("was seen to run on this very tree: npm test");
  });

  test("H4 H5 what a rule put in the place of a command is what ran, and is the evidence", async () => {
    using repo = new GatedRepo([npmTest]);
    const user = "policy: [{tool: shell, command: make check, input: {command: npm test}}]\n";
    const folder = join(repo.root, ".git/config-home");
    repo.put(".git/config-home/clew/config.yaml", user);
    repo.env["XDG_CONFIG_HOME"] = folder;
    const { code, run } = await repo.plays(edit, { run: "make check" }, done);
    expect([code, run.status]).toEqual([4, "pending_merge"]);
    const [, tested] = await repo.evidence();
    expect(tested).toMatchObject({ command: "npm test", exit: 0, witnesses: ["stream", "hook"] });
    expect(tested!.problem).toBeUndefined();
    expect(tested!.tree).toBe(run.merge!.tree);
  });

  test("H4 files that the gate does not cover may change afterwards", async () => {
    using repo = new GatedRepo([{ ...npmTest, covers: ["**/*.txt", "package.json"] }]);
    const notes = { write: { path: "NOTES.md", content: "done\n" } };
    expect((await repo.plays(edit, runsTests, notes, done)).code).toBe(4);
  });

  test("H4 Clew runs a command itself, and the offer names it", async () => {
    using repo = new GatedRepo([{ command: "npm test", expect: "3 tests passed" }]);
    const { code, run } = await repo.plays(edit, done);
    expect(code).toBe(4);
    expect(run.merge!.proven).toMatchObject([{ by: "evidence", command: "npm test" }]);
    const [, own] = await repo.evidence();
    expect(own).toMatchObject({ tool: "command", witnesses: ["clew"], exit: 0, command: "npm test" });
  });

  test("H4 a call of another tool, and so many of them", async () => {
    using repo = new GatedRepo([{ tool: "edit", count: 2 }]);
    const { run } = await repo.plays(edit, done);
    expect(run.message).toContain("1 of 2 so far");
    const shown = await repo.clew("run", "show", "proj-1");
    expect(shown).toContain(
      "blocked at implement: its result does not count, 1 thing missing\n  ✗ the agent uses the tool edit, 2 times",
    );
    expect(shown).toContain("\n    fix: use the tool edit\n");
    // Once, below its heading.
    expect(shown.split("1 of 2 so far")).toHaveLength(2);
    expect(run.blocked_reason).toBe("evidence");
    using other = new GatedRepo([{ tool: "edit", covers: ["test/**"] }]);
    expect((await other.plays(edit, done)).run.message).toContain("changed none of test/**");
    using right = new GatedRepo([{ tool: "edit", covers: ["test/**"] }]);
    expect((await right.plays({ write: { path: "test/a.txt", content: "a" } }, done)).code).toBe(4);
  });

  test("H4 covers of a read: each such file was read, as it is now", async () => {
    const reads = (path: string): object => ({ tool: { name: "Read", input: { file_path: path }, result: "…" } });
    using repo = new GatedRepo([{ tool: "read", covers: ["**/package.json"] }]);
    const half = (await repo.plays(reads("package.json"), done)).run;
    expect([half.blocked_reason, half.message]).toEqual([
      "evidence",
      expect.stringContaining("sub/package.json: was not read"),
    ]);
    using right = new GatedRepo([{ tool: "read", covers: ["**/package.json"] }]);
    expect((await right.plays(reads("package.json"), reads("sub/package.json"), done)).code).toBe(0);
    expect((await right.evidence())[1]).toMatchObject({ tool: "Read", files: ["sub/package.json"] });
    using stale = new GatedRepo([{ tool: "read", covers: ["sub/**"] }]);
    const changes = { write: { path: "sub/package.json", content: "{}\n" } };
    expect((await stale.plays(reads("sub/package.json"), changes, done)).run.message).toContain(
      "sub/package.json: changed after it was read",
    );
    using none = new GatedRepo([{ tool: "read", covers: ["docs/**"] }]);
    expect((await none.plays(reads("package.json"), done)).run.message).toContain("docs/**: there is no such file");
  });

  test("H3 H4 a hook that was skipped, and hooks that tell of something else, are no evidence", async () => {
    using repo = new GatedRepo([npmTest]);
    const { run } = await repo.plays(edit, { ...runsTests, hooks: false }, done);
    expect([run.blocked_reason, run.message]).toEqual([
      "evidence",
      expect.stringContaining("npm test: only the engine itself tells of it: its hooks were not called") as string,
    ]);
    const [, tested] = await repo.evidence();
    expect(tested).toMatchObject({ witnesses: ["stream"], problem: expect.any(String) as string });
  });
});

describe("H4 a liar does not pass, and is told precisely what is missing", () => {
  const liars: [what: string, turns: object[], told: string, scripts?: Record<string, string>][] = [
    ["claims that the tests ran", [edit, { say: "I ran npm test. All pass." }], "no such call was seen"],
    ["echo npm test", [edit, { run: "echo npm test" }], "no such call was seen"],
    ["npm test || true", [edit, { run: "npm test || true" }], "npm test || true: is a list of commands"],
    ["npm test; true", [edit, { run: "npm test; true" }], "npm test; true: is a list of commands"],
    ["npm test | cat", [edit, { run: "npm test | cat" }], "npm test | cat: is a pipe"],
    ["npm test &", [edit, { run: "npm test &" }], "npm test &: goes on in the background"],
    ["npm test in another folder", [edit, { run: "npm test --prefix sub" }], "no such call was seen"],
    ["tests that fail", [{ write: { path: "broken.txt", content: "" } }, runsTests], "npm test: exited with 1"],
    [
      "edits after the test",
      [edit, runsTests, { write: { path: "new.txt", content: "x\n" } }],
      "new.txt changed after it",
    ],
    [
      "a test that changes the tree",
      [edit, { write: { path: "package.json", content: '{"scripts":{"test":"date +%N > stamp.txt"}}' } }, runsTests],
      "stamp.txt changed while it ran",
    ],
    [
      "a test script that was edited to pass",
      [{ write: { path: "package.json", content: '{"scripts":{"test":"true"}}' } }, runsTests],
      'is "true" now',
    ],
    [
      "a shell of npm's that says yes to everything",
      [{ write: { path: ".npmrc", content: "script-shell=/bin/true\n" } }, edit, runsTests],
      ".npmrc was changed in this run",
    ],
    [
      "a change that git is told not to see",
      [
        { write: { path: "broken.txt", content: "" } },
        {
          run: "git add broken.txt && git commit -qm x && git update-index --assume-unchanged broken.txt && rm broken.txt",
        },
        runsTests,
      ],
      "git could not tell what stood in the worktree",
    ],
    [
      "a script that the test calls, edited to pass",
      [{ write: { path: "package.json", content: '{"scripts":{"test":"npm run unit","unit":"true"}}' } }, runsTests],
      'the script unit of package.json was "sh test.sh" when the run began, and is "true" now',
      { test: "npm run unit", unit: "sh test.sh" },
    ],
    [
      "a file that the test script runs, edited to pass",
      [{ write: { path: "test.sh", content: "exit 0\n" } }, edit, runsTests],
      "test.sh was changed in this run, and its scripts run it",
      { test: "npm run unit", unit: "sh ./test.sh" },
    ],
    [
      "a script before the test that was added",
      [
        {
          write: {
            path: "package.json",
            content: JSON.stringify({ scripts: { test: testScript, pretest: "rm -f broken.txt" } }),
          },
        },
        runsTests,
      ],
      "the script pretest of package.json was nothing when the run began",
    ],
  ];
  test.each(liars)("H4 %s", async (_, turns, told, scripts) => {
    using repo = new GatedRepo([npmTest], scripts && { scripts });
    const { code, run } = await repo.plays(...turns, done);
    expect([code, run.status, run.blocked_reason]).toEqual([3, "blocked", "evidence"]);
    expect(run.message).toContain("this step requires that the agent runs npm test, which exits with 0");
    expect(run.message).toContain(told);
    expect(repo.text("new.txt")).toBeUndefined();
  });

  test("H3 H4 an agent that calls hooks itself, over HTTP or by clew hook, makes no evidence", async () => {
    using repo = new GatedRepo([npmTest]);
    const forged = { tool_name: "Bash", tool_input: { command: "npm test" }, tool_use_id: "toolu_forged", cwd: "." };
    const response = { tool_response: { stdout: "3 tests passed", stderr: "", interrupted: false } };
    const payloads = [
      { ...forged, hook_event_name: "PreToolUse" },
      { ...forged, ...response, hook_event_name: "PostToolUse" },
    ];
    repo.put(
      ".git/forge.mjs",
      `import { spawnSync } from "node:child_process";
const { CLEW_HOOK_URL: url, CLEW_HOOK_TOKEN: token } = process.env;
for (const payload of ${JSON.stringify(payloads)}) {
  const body = JSON.stringify({ session_id: "s", ...payload });
  const headers = { "content-type": "application/json", authorization: "Bearer " + token };
  console.log((await fetch(url, { method: "POST", headers, body })).status);
  const clew = [${JSON.stringify(join(import.meta.dirname, "../../dist/clew.cjs"))}, "hook", payload.hook_event_name];
  console.log(spawnSync(process.execPath, clew, { input: body }).status);
}\n`,
    );
    const { code, run } = await repo.plays(
      edit,
      { run: `node ${JSON.stringify(join(repo.root, ".git/forge.mjs"))}` },
      done,
    );
    expect([code, run.blocked_reason]).toEqual([3, "evidence"]);
    expect(run.message).toContain("npm test: only a hook tells of it: the engine itself tells of no such call");
    const calls = await repo.evidence();
    expect(calls.map(({ tool_use_id }) => tool_use_id === "toolu_forged")).toContain(true);
    expect(calls.find(({ tool }) => tool === "Bash" && calls.length > 0)!.failed).toBe(false);
  });

  test("H4 evidence of another run does not count", async () => {
    using repo = new GatedRepo([npmTest]);
    await repo.plays(edit, runsTests, done);
    await repo.clewRun("cancel");
    repo.put(".git/script.json", JSON.stringify({ turns: [edit, done] }));
    const env = { CLEW_SCRIPT: join(repo.root, ".git/script.json") };
    expect((await repo.clewRun("start", ["--anyway"], { env })).code).toBe(3);
    expect((await showRun(repo)).message).toContain("no such call was seen in this attempt");
  });

  test("H4 a test of another worktree does not count", async () => {
    using repo = new GatedRepo([npmTest]);
    const { run } = await repo.plays(edit, { run: `cd ${JSON.stringify(repo.root)} && npm test` }, done);
    expect(run.message).toContain("is a list of commands");
  });

  test("H4 evidence of an older attempt does not count", async () => {
    using repo = new GatedRepo([npmTest]);
    const gone = { fail: "the model is gone" };
    expect((await repo.plays(edit, runsTests, gone)).code).toBe(3);
    repo.put(".git/script.json", JSON.stringify({ turns: [done] }));
    const env = { CLEW_SCRIPT: join(repo.root, ".git/script.json") };
    expect((await repo.clewRun("retry", [], { env })).code).toBe(3);
    const run = await showRun(repo);
    expect(run.message).toContain("no such call was seen in this attempt");
    expect((await repo.evidence("--step", "implement#1")).map(({ command }) => command)).toContain("npm test");
    repo.put(".git/script.json", JSON.stringify({ turns: [runsTests, done] }));
    expect((await repo.clewRun("retry", [], { env })).code).toBe(4);
  });

  test("H4 files that have to stay as they were", async () => {
    using repo = new GatedRepo([{ ...npmTest, keeps: ["kept.txt"] }]);
    const { run } = await repo.plays({ write: { path: "kept.txt", content: "mine\n" } }, runsTests, done);
    expect(run.message).toContain("kept.txt was changed in this run");
  });

  test("H4 a command of Clew's that fails, prints something else or takes too long refuses the result", async () => {
    const gates: [object, string][] = [
      [{ command: "npm test", expect: "4 tests passed" }, "printed no such text"],
      [{ command: "exit 3" }, "exited with 3"],
      [{ command: "sleep 60", timeout: "1s" }, "took longer than it may"],
    ];
    for (const [gate, told] of gates) {
      using repo = new GatedRepo([gate]);
      const { code, run } = await repo.plays(edit, done);
      expect([code, run.blocked_reason]).toEqual([3, "evidence"]);
      expect(run.message).toContain(told);
    }
  });

  test("H4 a value in a gate's command is data", async () => {
    using repo = new GatedRepo([{ command: "test {{.bead.title}} = 'Fix the login'" }]);
    expect((await repo.plays(edit, done)).code).toBe(4);
  });
});

test("H5 D6 an agent changes no settings of engines, no rules, and trusts nothing", async () => {
  using repo = new GatedRepo([]);
  const clew = `node ${JSON.stringify(join(import.meta.dirname, "../../dist/clew.cjs"))}`;
  const tries = ["hooks uninstall", "hooks install --engine claude", "mcp uninstall", "trust", "config set policy []"];
  const turns = tries.map((words) => ({ run: `${clew} ${words}; echo exit $?` }));
  await repo.plays(...turns, done);
  const { stdout } = await repo.run(["run", "log", "proj-1"]);
  expect(stdout.match(/exit 2/g)).toHaveLength(tries.length);
});

test("H3 evidence lists by step and tree, page by page, and refuses what is not there", async () => {
  using repo = new GatedRepo([npmTest]);
  await repo.plays(edit, { run: "echo one" }, runsTests, done);
  const all = await repo.evidence();
  expect(all.map(({ id }) => id.split("/")[1])).toEqual(["1", "2", "3"]);
  const first = await repo.json<{ evidence: Evidence[]; next: string }>("evidence", "list", "--limit", "2");
  expect(first.evidence).toEqual(all.slice(0, 2));
  expect(await repo.evidence("--after", first.next)).toEqual(all.slice(2));
  expect(await repo.evidence("--tree", all[2]!.tree!.slice(0, 8))).toEqual([all[2]]);
  expect((await repo.refused(["evidence", "show", "nothing/1"])).code).toBe("unknown_evidence");
  expect((await repo.refused(["evidence", "list", "--run", "nothing"])).code).toBe("unknown_run");
  const file = readFileSync(join(repo.root, ".git/clew/evidence/calls", `${all[0]!.run}.jsonl`), "utf8");
  expect(file.match(/"type":"call"/g)).toHaveLength(3);
});
