import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { expect, test } from "vitest";
import { claudeEnd, claudeInit, playClaude } from "../support/stream-engine.ts";
import { WorkRepo } from "../support/work-repo.ts";

const program = resolve(import.meta.dirname, "../../dist/clew.cjs");
const clew = `'${process.execPath}' '${program}'`;
const done = { result: { success: true, summary: "Mended it." } };
const later = { result: { success: false, summary: "Later.", status: "paused" } };

/** A command of an agent whose exit code and stderr go into files of this name. */
function tries(name: string, args: string): string {
  return `${clew} ${args} > ${name}.out 2> ${name}.err; echo $? > ${name}.code`;
}

function outcome(repo: WorkRepo, name: string): { code: number; out: string; err: string } {
  const read = (end: string): string => readFileSync(join(repo.root, `${name}.${end}`), "utf8");
  return { code: Number(read("code")), out: read("out"), err: read("err") };
}

test("W1 D4 what a work agent starts drives no other work and no run, and ends no session that is not its own", async () => {
  using repo = await WorkRepo.with();
  const persons = (await repo.clew("session", "start", "A person's own")).trim().split(/\s+/)[0]!;
  const bead = await repo.bead("Mend the login");
  const other = await repo.bead("Another");
  const attempts: Record<string, string> = {
    work: `work task ${other}`,
    run: `run ${other}`,
    daemon: "daemon run --once",
    end: `session end ${persons}`,
    delete: `session delete ${persons} --yes`,
    pause: `session pause ${persons}`,
    archive: `session archive ${persons}`,
    resume: `session resume ${persons}`,
    rename: `session rename ${persons} Mine`,
    renameOwn: 'session rename "$CLEW_SESSION" Mine',
    note: `session breadcrumb add --cookie ${persons} --kind note --text x`,
    deleteBead: `bead delete ${other} --yes`,
    own: 'session end "$CLEW_SESSION" --status abandoned',
    config: "config set --user engine scripted",
  };
  const runs = Object.entries(attempts).map(([name, args]) => tries(name, args));
  repo.plays({ run: runs.join("\n") }, done);
  const { code, end } = await repo.work("task", bead);
  expect([code, end]).toMatchObject([0, { status: "completed" }]);
  for (const name of Object.keys(attempts)) {
    const { code: refused, err } = outcome(repo, name);
    expect([name, refused, err]).toEqual([
      name,
      2,
      expect.stringContaining(`was started by the agent of the work session ${String(end["session_id"])}`),
    ]);
  }
  // Each refusal says what to do instead.
  expect(outcome(repo, "work").err).toContain("clew bead create");
  expect(outcome(repo, "own").err).toContain("give your result");
  expect(outcome(repo, "note").err).toContain(`--cookie ${String(end["session_id"])}`);
  expect(outcome(repo, "deleteBead").err).toContain(`clew bead close ${other}`);
  expect(outcome(repo, "end").err).toContain("clew session log decision_needed");
  expect(await repo.status(other)).toBe("open");
  expect((await repo.show(persons)).frontmatter.status).toBe("active");
});

test("W5 W7 a work agent may log, note, read, keep sessions of its own, and sync with its own cookie alone", async () => {
  using repo = await WorkRepo.with(later);
  const paused = String((await repo.work("task", await repo.bead("Another"))).end["session_id"]);
  const bead = await repo.bead("Mend the login");
  const attempts: Record<string, string> = {
    log: 'session log decision "Keep the cookie" -s "$CLEW_SESSION"',
    note: 'session breadcrumb add --cookie "$CLEW_SESSION" --kind note --text "Half way"',
    list: "session list",
    create: 'bead create "What else there is"',
    start: 'session start "My own" --json',
    noteThere: 'session breadcrumb add --cookie "$(ls -t .clew/sessions | grep my-own)" --kind note --text "Seen"',
    renameThere: 'session rename "$(ls -t .clew/sessions | grep my-own)" "My very own"',
    endOwn: 'session end -s "$(ls -t .clew/sessions | grep my-own)"',
    sync: 'ai sync --cookie "$CLEW_SESSION"',
  };
  const runs = Object.entries(attempts).map(([name, args]) => tries(name, args));
  repo.plays({ run: [...runs, tries("foreign", `ai sync --cookie ${paused}`)].join("\n") }, done);
  const { end } = await repo.work("task", bead);
  for (const name of Object.keys(attempts)) expect([name, outcome(repo, name)]).toMatchObject([name, { code: 0 }]);
  const { code, err } = outcome(repo, "foreign");
  expect([code, err]).toEqual([2, expect.stringContaining(`clew ai sync --cookie ${String(end["session_id"])}`)]);
  const { session_id: own } = JSON.parse(outcome(repo, "start").out) as { session_id: string };
  expect((await repo.show(own)).frontmatter).toMatchObject({ status: "completed", begun_below: [end["session_id"]] });
});

test("W8 a work agent closes its tasks by results: no command of its own gives one a status", async () => {
  using repo = await WorkRepo.with();
  const track = await repo.bead("The release", "-t", "epic");
  const [one, two] = [await repo.bead("One", "--parent", track, "-p", "0"), await repo.bead("Two", "--parent", track)];
  const outside = await repo.bead("Not below");
  const attempts: Record<string, string> = {
    close: `bead close ${one}`,
    track: `bead close ${track}`,
    next: `bead close ${two}`,
    update: `bead update ${one} --status closed`,
    delete: `bead delete ${two} --yes`,
  };
  const runs = Object.entries(attempts).map(([name, args]) => tries(name, args));
  repo.plays(
    { when: "One", run: [...runs, tries("outside", `bead close ${outside}`)].join("\n") },
    { when: "One", ...later },
  );
  const { end } = await repo.work("track", track);
  expect(end).toMatchObject({ reason: "paused", done: [] });
  for (const name of Object.keys(attempts)) {
    const { code, err } = outcome(repo, name);
    expect([name, code, err]).toEqual([name, 2, expect.stringContaining("ai sync --cookie")]);
  }
  expect(outcome(repo, "outside").code).toBe(0);
  expect(await Promise.all([one, two, track].map((id) => repo.status(id)))).toEqual(["open", "open", "open"]);
  // A person may.
  await repo.clew("bead", "close", two);
});

test("W5 a note of an agent names its task and its engine session", async () => {
  using repo = await WorkRepo.with(
    { run: tries("note", 'session breadcrumb add --cookie "$CLEW_SESSION" --kind decision --text "Use JWT"') },
    done,
  );
  const bead = await repo.bead("Mend the login");
  const { end } = await repo.work("task", bead);
  const { breadcrumbs } = await repo.json<{ breadcrumbs: { kind: string }[] }>(
    "session",
    "breadcrumbs",
    String(end["session_id"]),
  );
  expect(breadcrumbs.filter(({ kind }) => kind === "decision")).toMatchObject([
    { response: "Use JWT", task: bead, engine: "scripted", engine_session: end["engine_session"] },
  ]);
});

test("W5 a note in a talk names its engine session", async () => {
  using repo = await WorkRepo.with(
    { run: tries("note", 'session breadcrumb add --cookie "$CLEW_SESSION" --kind note --text "Seen"') },
    { say: "Done" },
  );
  const lines = (await repo.run(["ai", "scripted", "Look", "--one-shot", "--json"])).stdout.trim().split("\n");
  const end = JSON.parse(lines.at(-1)!) as { session_id: string; engine_session: string };
  const { breadcrumbs } = await repo.json<{ breadcrumbs: object[] }>("session", "breadcrumbs", end.session_id);
  expect(breadcrumbs).toMatchObject([{ kind: "note", engine: "scripted", engine_session: end.engine_session }]);
});

test("W11 after another branch was checked out an agent's notes and results are refused, and session log is not", async () => {
  using repo = await WorkRepo.with(
    {
      run: [
        // Not before the driver has heard of this call, with which it looks at the branch: later it would stop the agent.
        'until grep -rq "git switch" .git/clew/transcripts; do sleep 0.1; done; sleep 1',
        "git switch -q -c other",
        tries("note", 'session breadcrumb add --cookie "$CLEW_SESSION" --kind note --text "Too late"'),
        `echo '{"success": true, "summary": "x"}' > result.json`,
        tries("sync", 'ai sync --cookie "$CLEW_SESSION" --result result.json'),
        tries("log", 'session log decision "I switched" -s "$CLEW_SESSION"'),
      ].join("\n"),
    },
    done,
  );
  repo.git("commit", "-q", "--allow-empty", "-m", "first");
  const branch = repo.git("branch", "--show-current").trim();
  const bead = await repo.bead("Mend the login");
  const { code, end } = await repo.work("task", bead);
  // The last look before the result counts finds it, though the agent came to its end.
  expect([code, end]).toMatchObject([4, { status: "paused", reason: "branch" }]);
  expect(await repo.status(bead)).toBe("open");
  for (const name of ["note", "sync"]) {
    const { code: refused, err } = outcome(repo, name);
    expect([name, refused, err]).toEqual([name, 2, expect.stringContaining(`works on the branch ${branch}`)]);
  }
  expect(outcome(repo, "log").code).toBe(0);
  // Also later, until it is resumed.
  const late = ["session", "breadcrumb", "add", "--cookie", String(end["session_id"]), "--kind", "note", "--text", "x"];
  expect((await repo.refused(late)).message).toContain("is paused");
});

test("W5 W11 the error of an agent that never started stands in its own phase", async () => {
  using repo = await WorkRepo.with();
  const track = await repo.bead("The release", "-t", "epic");
  const one = await repo.bead("One", "--parent", track, "-p", "0");
  await repo.bead("Two", "--parent", track, "-p", "1");
  // The first one removes the program.
  playClaude(repo, [claudeInit, claudeEnd([1, 1], 1, { success: true, summary: "Did it." })], 'rm "$0"');
  const { code, end } = await repo.work("track", track, "--engine", "claude");
  expect([code, end]).toMatchObject([1, { reason: "failed", done: [one] }]);
  const { phases } = await repo.show(String(end["session_id"]));
  const errors = phases.map(({ title, entries }) => [title.slice(0, 3), entries.some(({ kind }) => kind === "error")]);
  // It is tried in the engine's own session first, and then from the record.
  expect(errors).toEqual([
    ["One", false],
    ["Two", true],
    ["Two", true],
  ]);
});

test("W11 a permission that was open when its agent ended does not hold the time of the next one", async () => {
  using repo = await WorkRepo.with();
  const track = await repo.bead("The release", "-t", "epic");
  const one = await repo.bead("One", "--parent", track, "-p", "0");
  await repo.bead("Two", "--parent", track, "-p", "1");
  const request = {
    subtype: "can_use_tool",
    tool_name: "Bash",
    input: { command: "rm -rf /tmp/x" },
    tool_use_id: "c1",
  };
  const ask = JSON.stringify({ type: "control_request", request_id: "r1", request });
  const end = JSON.stringify(claudeEnd([1, 1], 1, { success: true, summary: "Did it." }));
  const untilInterrupted = `while read -r line; do case "$line" in *'"subtype":"interrupt"'*) exit 1;; esac; done`;
  const second = `if [ -e second ]; then ${untilInterrupted}; fi; touch second`;
  playClaude(repo, [claudeInit], `${second}\necho '${ask}'\nsleep 1\necho '${end}'`);
  const worked = await repo.work("track", track, "--engine", "claude", "--max-time", "4s");
  expect(worked.news.map(({ type }) => type)).toContain("permission");
  expect([worked.code, worked.end]).toMatchObject([4, { reason: "limit", done: [one] }]);
});
