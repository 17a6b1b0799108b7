import { chmodSync, mkdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { action, ExecutionRepo } from "../support/execution-repo.ts";
import { processesWith } from "../support/processes.ts";
import { hasTerminals } from "../support/terminal.ts";

interface Executed {
  status: string;
  memos: string;
  actions: { action: number; status: string; details?: string }[];
  files: { path: string; change: string }[];
}

/** The plan of the requirements, as it is written there. */
const greeting = `# Add the greeting
- **Status:** Green
- **Plan Type:** Implementation
- **Agent:** dev
- **Goal:** say hello

## Rationale
~~~~~~
Why.
~~~~~~

## Context Vault
~~~~~~
README.md
src/a.txt
~~~~~~

## Memos
- [+] Use pnpm
- [-] Use npm

## Action Plan

### \`CREATE\`
- **File Path:** [src/a.txt](/src/a.txt)
- **Description:** the file
~~~~~~
one
~~~~~~

### \`EDIT\`
- **File Path:** [src/a.txt](/src/a.txt)
- **Description:** shout
#### \`FIND:\`
~~~~~~
one
~~~~~~
#### \`REPLACE:\`
~~~~~~
ONE
~~~~~~

### \`EXECUTE\`
- **Description:** look
- **Expected Outcome:** ONE
~~~~~~shell
cat src/a.txt
~~~~~~
`;

const execute = ["session", "execute"];

describe("T5 executing without a terminal", () => {
  test("T4 T5 the plan of the requirements is executed as it is written, with -y; memos are not covered", async () => {
    using repo = await ExecutionRepo.begin();
    repo.write(".clew/memos.yaml", "# mine\n- Use npm\n");
    repo.plan("01", greeting);
    const refused = await repo.refused(execute, {}, 4);
    expect(refused.code).toBe("needs_approval");
    expect(refused.message).toContain("1 CREATE src/a.txt; 2 EDIT src/a.txt; 3 EXECUTE cat src/a.txt");
    expect([repo.hasReport("01"), repo.text("src/a.txt")]).toEqual([false, undefined]);

    const preview = await repo.json<{ actions: { diff?: string }[] }>(...execute, "--dry-run");
    expect(preview.actions[1]!.diff).toContain("-one\n+ONE\n");
    expect(repo.hasReport("01")).toBe(false);

    const done = await repo.json<Executed>(...execute, "-y");
    expect(done).toMatchObject({
      status: "SUCCESS",
      memos: "rejected",
      files: [{ path: "src/a.txt", change: "created" }],
    });
    expect(repo.text("src/a.txt")).toBe("ONE\n");
    expect(repo.text(".clew/memos.yaml")).toBe("# mine\n- Use npm\n");
    const { run_summary: summary, action_log: log } = repo.report("01");
    expect(summary).toMatchObject({
      status: "SUCCESS",
      plan_title: "Add the greeting",
      memos: { answer: "rejected", by: "no_terminal" },
    });
    expect(log[2]).toMatchObject({ type: "EXECUTE", output: "ONE\n", exit_code: 0, approval: { by: "flag" } });

    const { phases } = await repo.show(repo.session);
    expect(phases.map(({ title }) => title)).toEqual(["Plan 01: Add the greeting", "Execute 01: Add the greeting"]);
    expect((await repo.refused([...execute, "01"])).message).toContain("has a report already");
    expect((await repo.json<{ intact: boolean }>("session", "verify")).intact).toBe(true);
  });

  test("T5 a failing command skips the rest, unless it may fail; long output stands beside the report", async () => {
    using repo = await ExecutionRepo.begin();
    const long = 'i=0; while [ $i -lt 9000 ]; do echo "line $i of a long output"; i=$((i+1)); done';
    repo.plan("01", [
      action.execute("exit 3", "- **Allow Failure:** true\n"),
      action.execute(long),
      action.execute("echo no >&2; exit 7"),
      action.create("never.txt", "x"),
    ]);
    const { code, stdout } = await repo.run([...execute, "-y", "--json"]);
    expect([code, (JSON.parse(stdout) as Executed).status]).toEqual([1, "FAILURE"]);
    expect(repo.statuses("01")).toEqual(["FAILURE", "SUCCESS", "FAILURE", "SKIPPED"]);
    const [, printed, failed] = repo.report("01").action_log;
    expect(printed!.output_file).toBe("output-2.txt");
    expect(Buffer.byteLength(printed!.output!)).toBeLessThan(70_000);
    expect(repo.turnFile(repo.session, "01", "output-2.txt").split("\n")).toHaveLength(9001);
    expect(failed).toMatchObject({ output: "no\n", exit_code: 7, details: "the command exited with 7" });
    expect(repo.text("never.txt")).toBeUndefined();
    expect((await repo.json<{ intact: boolean }>("session", "verify")).intact).toBe(true);
  });

  test("T5 a batch is all or nothing: an edit whose text is not there says what is closest, and nothing is written", async () => {
    using repo = await ExecutionRepo.begin();
    repo.write("src/a.txt", "alpha\nbeta\ngamma\n");
    repo.write("twice.txt", "same\nsame\n");
    repo.plan("01", [
      action.create("new.txt", "new"),
      action.edit("src/a.txt", "betta", "BETA"),
      action.execute("touch ran"),
    ]);
    const shown = await repo.run([...execute, "--dry-run"]);
    expect(shown.stdout).toContain("cannot be done as the files are");
    const { code } = await repo.run([...execute, "-y"]);
    expect(code).toBe(1);
    expect(repo.statuses("01")).toEqual(["SKIPPED", "FAILURE", "SKIPPED"]);
    expect(repo.report("01").action_log[1]!.details).toContain("beta");
    expect([repo.text("new.txt"), repo.text("src/a.txt"), repo.text("ran")]).toEqual([
      undefined,
      "alpha\nbeta\ngamma\n",
      undefined,
    ]);
    repo.plan("02", [
      action.edit("twice.txt", "same", "x", "- **Allow Failure:** true\n"),
      action.create("ok.txt", "ok"),
    ]);
    expect(await repo.json<Executed>(...execute, "-y")).toMatchObject({ status: "PARTIAL" });
    expect([repo.text("twice.txt"), repo.text("ok.txt")]).toEqual(["same\nsame\n", "ok\n"]);
  });

  test("T5 nothing is written outside the repository, through links, into git's folder, over folders or other cases", async () => {
    using repo = await ExecutionRepo.begin();
    mkdirSync(join(repo.root, "folder"));
    mkdirSync(join(repo.root, "Docs"));
    repo.write("README.md", "read\n");
    symlinkSync("/tmp", join(repo.root, "out"));
    symlinkSync("README.md", join(repo.root, "link.md"));
    const paths = [
      "out/x.txt",
      "link.md",
      "folder",
      "readme.md",
      "docs/x.md",
      `.clew/sessions/${repo.session}/x`,
      ".clew/memos.yaml",
      "README.md/x",
    ];
    repo.plan(
      "01",
      paths.map((path) => action.create(path, "x", "- **Overwrite:** true\n- **Allow Failure:** true\n")),
    );
    // Also where a rule names the very path.
    const own = paths.filter((path) => path.startsWith(".clew/"));
    const rules = own.map((path) => `{path: ${path}, tool: edit, decide: allow}`).join(", ");
    repo.write("user/clew/config.yaml", `policy: [${rules}]\n`);
    const env = { XDG_CONFIG_HOME: join(repo.root, "user") };
    const { stdout } = await repo.run([...execute, "-y", "--json"], { env });
    expect(JSON.parse(stdout)).toMatchObject({ status: "PARTIAL", files: [] });
    const log = repo.report("01").action_log;
    expect(log.map(({ status }) => status)).toEqual(paths.map(() => "FAILURE"));
    const words = [
      "the link out",
      "is a link",
      "is a folder",
      "only in case",
      "only in case",
      "no plan changes",
      "## Memos",
      "is a file",
    ];
    words.forEach((word, at) => expect(`${paths[at]}: ${log[at]!.details}`).toContain(word));
    expect(repo.text("README.md")).toBe("read\n");
    for (const path of ["../x", ".git/hooks/x", "a/../../x"]) {
      using other = await ExecutionRepo.begin();
      other.plan("01", [action.create(path, "x")]);
      expect((await other.refused([...execute, "-y"])).message).toContain("cannot be executed");
    }
  });

  test("T5 D6 a policy allows, denies and has asked; the repository's own rules loosen nothing", async () => {
    using repo = await ExecutionRepo.begin();
    const user = join(repo.root, "user");
    repo.write(
      "user/clew/config.yaml",
      "policy: [{path: 'src/**', tool: edit, decide: allow}, {command: echo …, decide: allow}]\n",
    );
    repo.write(
      ".clew/config.yaml",
      "engine: scripted\npolicy: [{path: secret/**, decide: deny, reason: keep out}, {path: '**', decide: allow}]\n",
    );
    const env = { XDG_CONFIG_HOME: user };
    repo.plan("01", [
      action.create("src/a.txt", "a"),
      action.create("secret/b.txt", "b"),
      action.execute("echo hello"),
    ]);
    const { code, stdout } = await repo.run([...execute, "--json"], { env });
    expect([code, stdout]).toEqual([0, expect.stringContaining('"status":"PARTIAL"')]);
    expect(repo.statuses("01")).toEqual(["SUCCESS", "DENIED", "SUCCESS"]);
    expect(repo.report("01").action_log[1]).toMatchObject({
      details: expect.stringMatching(/^keep out \(rule 1 in .*\.clew\/config\.yaml: line 2\)$/),
      approval: { by: "policy", answer: "deny" },
    });
    repo.plan("02", [action.create("other.txt", "x")]);
    expect((await repo.refused(execute, { env }, 4)).code).toBe("needs_approval");
    repo.write("user/clew/config.yaml", "policy: [{path: '*.txt', tool: edit, decide: ask, reason: look first}]\n");
    const asked = await repo.refused([...execute, "-y"], { env }, 4);
    expect(asked.message).toMatch(/1 CREATE other\.txt: look first \(rule 1 in .*user\/clew\/config\.yaml: line 1\)$/);
    expect(asked.hint).toContain("on a terminal");
    expect(repo.text("other.txt")).toBeUndefined();
  });

  test("T5 memos: a setting of the user's own answers, and none of the repository's", async () => {
    using repo = await ExecutionRepo.begin();
    repo.write("user/clew/config.yaml", "turn_memos: accept\n");
    repo.plan("01", [action.read("README.md", "gone.md")], ["- [+] Tabs, not blanks"]);
    const { code } = await repo.run(execute, { env: { XDG_CONFIG_HOME: join(repo.root, "user") } });
    expect(code).toBe(0);
    expect(repo.text(".clew/memos.yaml")).toContain("Tabs, not blanks");
    expect(repo.report("01").run_summary.memos).toMatchObject({ answer: "accepted", by: "setting" });
    expect(repo.report("01").action_log[0]).toMatchObject({
      status: "SUCCESS",
      details: expect.stringContaining("gone.md"),
    });
    repo.configure("engine: scripted\nturn_memos: accept\n");
    expect((await repo.refused(["session", "turns"])).message).toContain("loosens protection");
  });

  test("T5 G12 nothing that a step, an agent or a plan's own command started executes or undoes", async () => {
    using repo = await ExecutionRepo.begin();
    const clew = `"${process.execPath}" "${join(process.cwd(), "dist/clew.cjs")}"`;
    repo.plan("01", [
      action.create("a.txt", "a"),
      action.execute(`${clew} session undo 01; ${clew} session execute -y; true`),
    ]);
    const env = { CLEW_MARK: "some-run:implement:abc" };
    expect((await repo.refused([...execute, "-y"], { env })).code).toBe("no_permission");
    expect((await repo.refused(["session", "undo", "01"], { env })).code).toBe("no_permission");
    expect(await repo.json<Executed>(...execute, "-y")).toMatchObject({ status: "SUCCESS" });
    expect(repo.report("01").action_log[1]!.output).toContain("was started by a command of a plan");
    expect(repo.text("a.txt")).toBe("a\n");
  });

  test("T5 D7 secrets are redacted in the report, a command that takes too long is ended with all it started", async () => {
    using repo = await ExecutionRepo.begin();
    repo.plan("01", [
      action.execute("echo ghp_0123456789abcdefghijABCDEFGHIJ012345", "- **Allow Failure:** true\n"),
      action.execute("setsid sleep 1000 & sleep 1000", "- **Timeout:** 1s\n"),
    ]);
    await repo.run([...execute, "-y"]);
    const report = repo.turnFile(repo.session, "01", "report.md");
    expect(report).not.toContain("0123456789abcdefghij");
    expect(repo.report("01").action_log[1]).toMatchObject({
      status: "FAILURE",
      details: expect.stringContaining("took longer than 1s"),
    });
    expect(processesWith(`${repo.session}:@turn:`)).toEqual([]);
  });

  test("T8 a plan that was changed is refused without a terminal; verify names what changed, exit 1", async () => {
    using repo = await ExecutionRepo.begin();
    repo.plan("01", [action.create("a.txt", "a")]);
    const plan = join(repo.root, ".clew/sessions", repo.session, "01/plan.md");
    writeFileSync(plan, readFileSync(plan, "utf8").replace("\na\n", "\nb\n"));
    expect((await repo.refused(execute, {}, 4)).message).toContain("was changed after it was written");
    expect(await repo.json<Executed>(...execute, "-y")).toMatchObject({ status: "SUCCESS" });
    expect(repo.report("01").run_summary.plan_changed).toBe(true);
    expect(repo.text("a.txt")).toBe("b\n");
    expect((await repo.json<{ intact: boolean }>("session", "verify")).intact).toBe(true);
    writeFileSync(plan, "other");
    repo.write(`.clew/sessions/${repo.session}/01/extra.txt`, "x");
    const { code, stdout } = await repo.run(["session", "verify", repo.session]);
    expect([code, stdout]).toEqual([
      1,
      expect.stringMatching(/01 {2}✗ unknown {2}extra\.txt\n.*01 {2}✗ changed {2}plan\.md/),
    ]);
  });
});

describe("T5 what is told without a terminal", () => {
  test("T5 results name their actions, with a failed command's last words, open questions and rejected memos", async () => {
    using repo = await ExecutionRepo.begin();
    const fails = "echo first; echo 'what went wrong' >&2; exit 7";
    repo.plan("01", [action.create("a.txt", "a"), action.chat("Which one?"), action.execute(fails)], ["- [+] A memo"]);
    const { code, stdout } = await repo.run([...execute, "-y"]);
    expect(code).toBe(1);
    expect(stdout).toContain("✓ 1 CREATE a.txt\n");
    expect(stdout).toContain("✓ 2 CHAT_WITH_USER: nobody could be asked\n  │ Which one?\n");
    expect(stdout).toContain(`✗ 3 EXECUTE ${fails}: exited with 7\n`);
    expect(stdout).toContain("  │ what went wrong\n");
    expect(stdout).toContain("memo changes were rejected");
    expect(stdout).toContain("turn_memos");
    expect(repo.report("01").action_log[1]!.details).toBe("nobody could be asked");
    expect((await repo.run(["session", "undo", "01"])).stdout).toContain("what its commands did, stay");
  });
});

describe("T5 undo", () => {
  test("T5 undo brings back contents and rights, removes what was made; a later change and a second undo are refused", async () => {
    using repo = await ExecutionRepo.begin();
    repo.write("run.sh", "#!/bin/sh\necho old\n");
    chmodSync(join(repo.root, "run.sh"), 0o755);
    repo.plan("01", [
      action.edit("run.sh", "echo old", "echo new"),
      action.create("deep/er/new.txt", "new"),
      action.execute("printf more >> deep/er/new.txt"),
    ]);
    await repo.json(...execute, "-y");
    expect(statSync(join(repo.root, "run.sh")).mode & 0o777).toBe(0o755);
    repo.write("deep/er/new.txt", "mine");
    const changed = await repo.refused(["session", "undo", "01"]);
    expect([changed.code, changed.message]).toEqual([
      "not_possible_now",
      expect.stringContaining("deep/er/new.txt changed since turn 01"),
    ]);
    expect(repo.text("run.sh")).toContain("new");
    repo.write("deep/er/new.txt", "new\nmore");
    await repo.json("session", "undo", "01", "--dry-run");
    expect(repo.text("run.sh")).toContain("new");
    await repo.json("session", "undo", "1");
    expect([repo.text("run.sh"), repo.text("deep/er/new.txt")]).toEqual(["#!/bin/sh\necho old\n", undefined]);
    expect(statSync(join(repo.root, "run.sh")).mode & 0o777).toBe(0o755);
    expect((await repo.refused(["session", "undo", "01"])).message).toContain("was undone already");
    expect(repo.lines(repo.session).at(-1)).toMatchObject({ type: "undone", turn: "01" });
    expect((await repo.show(repo.session)).phases.at(-1)!.title).toContain("Undo 01");
    expect((await repo.json<{ intact: boolean }>("session", "verify")).intact).toBe(true);
    expect(statSync(join(repo.home, "turns")).mode & 0o777).toBe(0o700);
  });

  test("T7 diff compares plan, report and files of two turns", async () => {
    using repo = await ExecutionRepo.begin();
    repo.plan("01", [action.create("a.txt", "one")]);
    await repo.json(...execute, "-y");
    repo.plan("02", [action.edit("a.txt", "one", "two")]);
    await repo.json(...execute, "-y");
    const diff = await repo.json<{ plan: string; report: string; files: { path: string; diff: string }[] }>(
      "session",
      "diff",
      "02",
    );
    expect(diff.plan).toContain("+# Plan 02");
    expect(diff.report).toContain("report.md");
    expect(diff.files).toEqual([{ path: "a.txt", diff: expect.stringContaining("-one\n+two\n") }]);
    expect((await repo.refused(["session", "diff", "01"])).message).toContain("the first of its line");
    expect((await repo.refused(["session", "diff", "01", "09"])).code).toBe("unknown_turn");
  });
});

describe.skipIf(!hasTerminals)("T5 executing on a terminal", () => {
  test("T5 memos on their own first; actions are approved, denied with a reason, and edited", async () => {
    using repo = await ExecutionRepo.begin();
    repo.plan(
      "01",
      [action.create("a.txt", "a"), action.create("b.txt", "b"), action.create("c.txt", "c"), action.chat("Which?")],
      ["- [+] A memo"],
    );
    const editor = "sed -i 's/^c$/edited/'";
    const { code, lines } = await repo.answer(
      [],
      [
        ...["y", "a", "d not now", "e", "a"].map((typed): [string, string] => ["[?]: ", typed]),
        ["your reply", "the first"],
      ],
      { EDITOR: editor },
    );
    expect([code, lines.join("\n")]).toEqual([0, expect.stringContaining("PARTIAL turn 01")]);
    expect(repo.text(".clew/memos.yaml")).toContain("A memo");
    expect([repo.text("a.txt"), repo.text("b.txt"), repo.text("c.txt")]).toEqual(["a\n", undefined, "edited\n"]);
    const log = repo.report("01").action_log;
    expect(log[1]).toMatchObject({
      status: "DENIED",
      details: "not now",
      approval: { by: "user", answer: "deny", reason: "not now" },
    });
    expect(log[2]).toMatchObject({
      parameters: { content: "edited\n" },
      approval: { answer: "approve", edited: true },
    });
    expect(log[3]).toMatchObject({ reply: "the first" });
    expect(repo.turnFile(repo.session, "01", "plan.md")).not.toContain("edited");
  });

  test("T5 approve the rest, and stop: what was approved and not written stays unwritten", async () => {
    using repo = await ExecutionRepo.begin();
    repo.plan("01", [action.create("a.txt", "a"), action.create("b.txt", "b"), action.execute("cat a.txt b.txt")]);
    expect((await repo.answer([], [["[?]: ", "r"]])).code).toBe(0);
    expect(repo.report("01").action_log.map(({ approval }) => approval?.answer)).toEqual([
      "approve_rest",
      "approve_rest",
      "approve_rest",
    ]);
    expect(repo.text("b.txt")).toBe("b\n");
    repo.plan("02", [action.create("c.txt", "c"), action.create("d.txt", "d")]);
    const stopped = await repo.answer(
      [],
      [
        ["[?]: ", "a"],
        ["[?]: ", "s"],
      ],
    );
    expect([stopped.code, repo.statuses("02"), repo.text("c.txt")]).toEqual([1, ["SKIPPED", "SKIPPED"], undefined]);
    expect(repo.report("02").run_summary.status).toBe("ABORTED");
  });

  test("T5 Ctrl-C ends the command, and the report tells what was done", async () => {
    using repo = await ExecutionRepo.begin();
    repo.plan("01", [
      action.create("a.txt", "a"),
      action.execute("echo begun; sleep 1000"),
      action.create("b.txt", "b"),
    ]);
    const { code } = await repo.answer(["-y"], [["begun", "\x03"]]);
    expect([code, repo.statuses("01")]).toEqual([130, ["SUCCESS", "FAILURE", "SKIPPED"]]);
    expect(repo.report("01").run_summary.status).toBe("ABORTED");
    expect([repo.text("a.txt"), repo.text("b.txt")]).toEqual(["a\n", undefined]);
  });
});
