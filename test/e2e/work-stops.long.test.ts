import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { expect, test } from "vitest";
import { startClew, until } from "../support/runs.ts";
import { WorkRepo, type News } from "../support/work-repo.ts";

const program = resolve(import.meta.dirname, "../../dist/clew.cjs");

/** Begins to work on a bead, and waits until its agent sleeps. */
async function begun(repo: WorkRepo, bead: string, ...options: string[]) {
  const child = repo.start(["work", "task", bead, "--json", ...options]);
  const printed: Buffer[] = [];
  child.stdout!.on("data", (chunk: Buffer) => printed.push(chunk));
  const ended = new Promise<{ code: number | null; news: News[] }>((done) =>
    child.on("close", (code) => {
      const lines = Buffer.concat(printed).toString().trim().split("\n");
      done({ code, news: lines.filter((line) => line !== "").map((line) => JSON.parse(line) as News) });
    }),
  );
  await until(() => existsSync(join(repo.root, "asleep")));
  return { child, ended };
}

const sleeper = [
  { say: "I look", usage: { input: 10, output: 3 } },
  { say: "Now I sleep", run: "touch asleep; sleep 60; touch woken" },
  { result: { success: true, summary: "Slept." } },
];
const rest = { say: "The rest", result: { success: true, summary: "Mended it." } };

test("W11 Ctrl-C pauses (130): the bead is as before, the session paused, and the next call goes on", async () => {
  using repo = await WorkRepo.with(...sleeper);
  const bead = await repo.bead("Mend the login");
  const { child, ended } = await begun(repo, bead);
  expect(await repo.status(bead)).toBe("in_progress");
  child.kill("SIGINT");
  const { code, news } = await ended;
  expect([code, news.at(-1)]).toMatchObject([130, { status: "paused", reason: "interrupted" }]);
  expect(await repo.status(bead)).toBe("open");
  expect(await repo.ready()).toEqual([]);
  const [session] = await repo.sessions();
  expect(session).toMatchObject({ status: "paused" });
  repo.plays(rest);
  expect((await repo.work("task", bead)).end).toMatchObject({ session_id: session!.session_id, status: "completed" });
});

test("W1 one driver: another process may log to the session, and neither drive nor end it", async () => {
  using repo = await WorkRepo.with(...sleeper);
  const bead = await repo.bead("Mend the login");
  const { child, ended } = await begun(repo, bead);
  const [session] = await repo.sessions();
  const id = session!.session_id;
  for (const args of [
    ["work", "task", bead],
    ["session", "end", id],
    ["session", "pause", id],
    ["session", "delete", id, "--yes"],
  ]) {
    const { code, stderr } = await repo.run(args);
    expect([args[0], code, stderr]).toEqual([args[0], 2, expect.stringContaining("another process drives")]);
  }
  await repo.clew("session", "log", "decision", "Keep the cookie", "-s", id);
  child.kill("SIGINT");
  await ended;
  expect(JSON.stringify(await repo.show(id))).toContain("Keep the cookie");
});

test("W5 W6 after kill -9 the record has all that the transcript has, once; the agent is gone, the bead as before", async () => {
  using repo = await WorkRepo.with(...sleeper);
  const bead = await repo.bead("Mend the login");
  const { child, ended } = await begun(repo, bead);
  const [driven] = await repo.sessions();
  const id = driven!.session_id;
  child.kill("SIGKILL");
  await ended;
  const { sessions } = await repo.json<{ sessions: { status: string }[] }>("session", "list");
  expect(sessions).toMatchObject([{ status: "paused" }]);
  expect(await repo.status(bead)).toBe("open");
  expect(await repo.ready()).toEqual([]);
  const { frontmatter, phases } = await repo.show(id);
  const texts = phases.flatMap(({ entries }) => entries.flatMap((each) => ("text" in each ? [each.text] : [])));
  expect(texts).toEqual(["I look", "Now I sleep"]);
  expect(frontmatter).toMatchObject({ tokens_used: 13, engine_sessions: [{ engine: "scripted" }] });
  const crumbs = readdirSync(join(repo.root, ".clew/sessions", id, "breadcrumbs/0"));
  expect(crumbs.length).toBeGreaterThan(0);
  const trail = await repo.json<{ breadcrumbs: { transcript: { from: number } }[] }>("session", "breadcrumbs", id);
  const firstLines = trail.breadcrumbs.map(({ transcript }) => transcript.from);
  expect([firstLines.length, firstLines]).toEqual([2, firstLines.toSorted((a, b) => a - b)]);
  expect(existsSync(join(repo.root, "woken"))).toBe(false);
  const sleeping = execFileSync("ps", ["-eo", "args"], { encoding: "utf8" }).split("\n");
  expect(sleeping.filter((line) => line.includes(repo.root) && line.includes("scripted"))).toEqual([]);
  repo.plays(rest);
  const { end } = await repo.work("task", bead);
  expect(end).toMatchObject({ session_id: id, status: "completed" });
  const after = await repo.show(id);
  const told = after.phases.flatMap(({ entries }) => entries.flatMap((each) => ("text" in each ? [each.text] : [])));
  expect(told.filter((text) => text === "I look")).toHaveLength(1);
});

test("W11 a branch that is switched underneath pauses the work, which goes on only on its own branch", async () => {
  using repo = await WorkRepo.with(
    { say: "I look", run: "git switch -q -c other; sleep 1; echo switched" },
    { say: "More", run: "sleep 1" },
    { say: "And more", run: "sleep 20" },
    rest,
  );
  repo.git("commit", "-q", "--allow-empty", "-m", "first");
  const branch = repo.git("branch", "--show-current").trim();
  const bead = await repo.bead("Mend the login");
  const { code, end } = await repo.work("task", bead);
  expect([code, end]).toMatchObject([4, { status: "paused", reason: "branch" }]);
  expect(await repo.status(bead)).toBe("open");
  repo.plays(rest);
  const refused = await repo.run(["work", "task", bead]);
  expect([refused.code, refused.stderr]).toEqual([2, expect.stringContaining(`git switch ${branch}`)]);
  repo.git("switch", "-q", branch);
  expect((await repo.work("task", bead)).end).toMatchObject({ session_id: end["session_id"], status: "completed" });
});

test("W11 the last look at the branch comes before the result counts", async () => {
  using repo = await WorkRepo.with({ run: "git switch -q -c other", ...rest });
  repo.git("commit", "-q", "--allow-empty", "-m", "first");
  const bead = await repo.bead("Mend the login");
  const { code, end } = await repo.work("task", bead);
  expect([code, end]).toMatchObject([4, { status: "paused", reason: "branch", done: [] }]);
  expect(await repo.status(bead)).toBe("open");
});

test("W11 without its state a work session still takes no note and no result on another branch", async () => {
  using repo = await WorkRepo.with(
    {
      say: "I look",
      run: [
        'clew() { "$CLEW_NODE" "$CLEW_PROGRAM" "$@"; }',
        "while [ ! -e .git/go ]; do sleep 0.02; done",
        // Before the state is made again of the record, and after.
        "rm -r .git/clew/state; git switch -q -c other",
        'note() { clew session breadcrumb add --cookie "$CLEW_SESSION" --kind note --text here >> said 2>&1; echo "note $?" >> codes; }',
        'note; clew ai sync --cookie "$CLEW_SESSION" --result result.json >> said 2>&1; echo "sync $?" >> codes; note',
        "git switch -q -; note",
      ].join("\n"),
    },
    { result: { success: false, summary: "Later.", status: "paused" } },
  );
  Object.assign(repo.env, { CLEW_NODE: process.execPath, CLEW_PROGRAM: program });
  repo.git("commit", "-q", "--allow-empty", "-m", "first");
  const bead = await repo.bead("Mend the login");
  writeFileSync(join(repo.root, "result.json"), JSON.stringify({ success: true, summary: "Done.", task: bead }));
  const work = startClew(repo, ["work", "task", bead, "--json"]);
  // With each event the branch is looked at, too: the switch comes after that of the call itself.
  await until(() => work.printed().includes('"tool_call"'));
  expect(await repo.status(bead)).toBe("in_progress");
  writeFileSync(join(repo.root, ".git/go"), "");
  const { stdout } = await work.outcome;
  const end = JSON.parse(stdout.trim().split("\n").at(-1)!) as News;
  expect(readFileSync(join(repo.root, "codes"), "utf8")).toBe("note 2\nsync 2\nnote 2\nnote 0\n");
  expect(readFileSync(join(repo.root, "said"), "utf8")).toContain("other is checked out");
  expect(await repo.status(bead)).toBe("open");
  // Paused, it takes none at all.
  rmSync(join(repo.home, "state"), { recursive: true });
  const refused = await repo.run([
    "session",
    "breadcrumb",
    "add",
    "--cookie",
    String(end["session_id"]),
    "--kind",
    "note",
    "--text",
    "x",
  ]);
  expect([refused.code, refused.stderr]).toEqual([2, expect.stringContaining("is paused")]);
});

test("W8 a claim goes with its session: an abandoned one leaves the bead to others", async () => {
  using repo = await WorkRepo.with({ say: "x", result: { success: false, summary: "Later.", status: "paused" } });
  const bead = await repo.bead("Mend the login");
  const { end } = await repo.work("task", bead);
  expect(await repo.ready()).toEqual([]);
  await repo.clew("session", "end", String(end["session_id"]), "--status", "abandoned");
  expect(await repo.ready()).toEqual([bead]);
  repo.plays(rest);
  const again = await repo.work("task", bead);
  expect(again.end["session_id"]).not.toBe(end["session_id"]);
  expect(again.end).toMatchObject({ status: "completed" });
});

test("W5 every round leaves a breadcrumb with its place in the transcript, also over a resume", async () => {
  using repo = await WorkRepo.with(
    { say: "I look", run: "echo seen", usage: { input: 10, output: 3 } },
    { write: { path: "a.txt", content: "one\n" }, result: { success: false, summary: "Later.", status: "paused" } },
  );
  const bead = await repo.bead("Mend the login");
  const { end } = await repo.work("task", bead);
  const id = String(end["session_id"]);
  repo.plays(rest);
  await repo.work("task", bead);
  const { breadcrumbs } = await repo.json<{
    breadcrumbs: { kind: string; task: string; transcript: { file: string; from: number; to: number } }[];
  }>("session", "breadcrumbs", id);
  const rounds = breadcrumbs.filter(({ kind }) => kind === "round");
  expect(rounds.length).toBe(3);
  expect(new Set(rounds.map(({ transcript }) => transcript.file)).size).toBe(2);
  for (const { transcript, task } of rounds) {
    const lines = readFileSync(join(repo.home, "transcripts", id, transcript.file), "utf8").split("\n");
    expect([task, lines[transcript.from - 1]]).toEqual([bead, expect.stringContaining("{")]);
  }
});

test("W5 a breadcrumb has what its round cost, by the price of its model, and the session the sum", async () => {
  using repo = await WorkRepo.with({ say: "I look", usage: { input: 1000, output: 100 } }, rest);
  const bead = await repo.bead("Mend the login");
  const { end } = await repo.work("task", bead, "--model", "claude-opus-4-8");
  const id = String(end["session_id"]);
  const { breadcrumbs } = await repo.json<{ breadcrumbs: { cost_usd?: number }[] }>("session", "breadcrumbs", id);
  const costs = breadcrumbs.flatMap(({ cost_usd }) => cost_usd ?? []);
  expect(costs[0]).toBeCloseTo(0.0075, 6);
  const sum = costs.reduce((all, each) => all + each, 0);
  expect((await repo.show(id)).frontmatter.cost_usd).toBeCloseTo(sum, 6);
});

test("W8 a hard stop stands in the record, and its session can be given up", async () => {
  using repo = await WorkRepo.with({ say: "All done, I promise!" });
  const bead = await repo.bead("Mend the login");
  const { end } = await repo.work("task", bead);
  const id = String(end["session_id"]);
  expect(JSON.stringify((await repo.show(id)).phases)).toContain('"kind":"error"');
  expect(await repo.ready()).toEqual([]);
  await repo.clew("session", "end", id, "--status", "abandoned");
  expect(await repo.ready()).toEqual([bead]);
});

test("W7 the same result given again closes no other task, nor does one that names another", async () => {
  using repo = await WorkRepo.with();
  const track = await repo.bead("The release", "-t", "epic");
  const kids = [
    await repo.bead("One", "--parent", track, "-p", "0"),
    await repo.bead("Two", "--parent", track, "-p", "1"),
    await repo.bead("Three", "--parent", track, "-p", "2"),
  ];
  const sync = `'${process.execPath}' '${program}' ai sync --cookie "$CLEW_SESSION" --result`;
  writeFileSync(join(repo.root, "one.json"), JSON.stringify({ success: true, summary: "Did one." }));
  writeFileSync(join(repo.root, "other.json"), JSON.stringify({ success: true, summary: "x", task: kids[2] }));
  repo.plays(
    { when: "One", run: `${sync} one.json; ${sync} one.json; ${sync} other.json; true` },
    { when: "One", result: { success: false, summary: "Enough.", status: "paused" } },
  );
  const { end } = await repo.work("track", track);
  expect(end).toMatchObject({ reason: "paused", done: [kids[0]] });
  expect(await Promise.all(kids.map((kid) => repo.status(kid)))).toEqual(["closed", "open", "open"]);
  // No task is at hand while it is paused.
  const paused = await repo.run(["ai", "sync", "--cookie", String(end["session_id"])]);
  expect([paused.code, paused.stderr]).toEqual([2, expect.stringContaining("is paused")]);
});

test("W11 a limit holds over all tasks of one call, and what goes on keeps its agent", async () => {
  using repo = await WorkRepo.with({ say: "x", usage: { input: 100, output: 1 } }, rest);
  const track = await repo.bead("The release", "-t", "epic");
  const [one, two] = [await repo.bead("One", "--parent", track), await repo.bead("Two", "--parent", track)];
  mkdirSync(join(repo.root, ".clew/agents"), { recursive: true });
  writeFileSync(join(repo.root, ".clew/agents/looker.md"), "---\nlevel: read\n---\nYou only look.\n");
  const { code, end } = await repo.work("track", track, "--max-tokens", "100", "--agent", "looker");
  expect([code, end]).toMatchObject([4, { reason: "limit", done: [one] }]);
  expect(await repo.status(two)).toBe("open");
  expect(await repo.json("work", "track", track, "--simulate")).toMatchObject({ level: "read" });
});

test.each([
  ["by calls", (name: string) => ({ run: `touch ${name}` })],
  ["by words alone", (name: string) => ({ say: name })],
])("W11 --max-rounds N stops after N rounds: %s", async (_, turn) => {
  using repo = await WorkRepo.with(turn("first"), turn("second"), turn("third"), rest);
  const bead = await repo.bead("Mend the login");
  for (const [most, more] of [
    [1, "2"],
    [2, "4"],
  ] as const) {
    const { code, end } = await repo.work("task", bead, "--max-rounds", String(most));
    expect([code, end]).toMatchObject([4, { status: "paused", reason: "limit", rounds: most }]);
    expect(end["limit"]).toMatchObject({ kind: "max_rounds", limit: most, used: most });
    expect((end["limit"] as { command: string }).command).toMatch(new RegExp(`--max-rounds ${more}$`));
  }
  expect(existsSync(join(repo.root, "third"))).toBe(false);
  expect((await repo.work("task", bead, "--max-rounds", "4")).end).toMatchObject({ status: "completed", rounds: 4 });
});

test("W8 W6 killed right after its task was closed, the session is completed by the next look", async () => {
  using repo = await WorkRepo.with(...sleeper);
  const bead = await repo.bead("Rotate the token");
  const { child, ended } = await begun(repo, bead);
  child.kill("SIGKILL");
  await ended;
  const file = join(repo.root, ".beads/issues.jsonl");
  writeFileSync(file, readFileSync(file, "utf8").replace('"status":"in_progress"', '"status":"closed"'));
  const [session] = await repo.sessions();
  expect(session).toMatchObject({ status: "completed" });
  expect(readdirSync(join(repo.home, "claims"))).toEqual([]);
  // Its mark looks like a secret, and finds its processes all the same.
  const state = readFileSync(join(repo.home, "state/ai-sync", `${session!.session_id}.json`), "utf8");
  expect(state).not.toContain("redacted");
});

test("W1 what an agent makes below its own task is left for later, and the task is done", async () => {
  using repo = await WorkRepo.with();
  const bead = await repo.bead("Mend the login");
  repo.plays(
    { run: `"${process.execPath}" "${program}" bead create More --parent ${bead}` },
    { result: { success: true, summary: "Mended", outputs: {} } },
  );
  const { code, end } = await repo.work("task", bead);
  expect([code, end["reason"], end["done"]]).toEqual([0, "done", [bead]]);
  expect([await repo.status(bead), await repo.status(`${bead}.1`)]).toEqual(["closed", "open"]);
  const refused = await repo.refused(["session", "resume", end["session_id"] as string]);
  expect(refused.message).toBe(`the work of ${end["session_id"] as string} is over: its bead ${bead} is closed`);
});

test("W6 W8 a bead that is away for a while, as in a stash, is not taken for done", async () => {
  using repo = await WorkRepo.with(...sleeper);
  const bead = await repo.bead("Mend the login");
  const { child, ended } = await begun(repo, bead);
  child.kill("SIGKILL");
  await ended;
  const beads = join(repo.root, ".beads");
  renameSync(beads, `${beads}-away`);
  expect((await repo.sessions()).map(({ status }) => status)).not.toContain("completed");
  rmSync(beads, { recursive: true, force: true });
  renameSync(`${beads}-away`, beads);
  expect((await repo.sessions()).map(({ status }) => status)).toEqual(["paused"]);
  expect(await repo.status(bead)).toBe("open");
  // It is held by its session, which goes on with it.
  expect(await repo.ready()).toEqual([]);
  repo.plays({ result: { success: true, summary: "Mended", outputs: {} } });
  expect((await repo.work("task", bead)).code).toBe(0);
  expect(await repo.status(bead)).toBe("closed");
});

test("W6 W8 W11 a bead that was away when its work stopped is given back when it comes back", async () => {
  using repo = await WorkRepo.with({ run: "mv .beads .beads-away" }, { say: "All done, I promise!" });
  const bead = await repo.bead("Mend the login");
  expect((await repo.work("task", bead)).end).toMatchObject({ status: "failed" });
  const beads = join(repo.root, ".beads");
  rmSync(beads, { recursive: true, force: true });
  renameSync(`${beads}-away`, beads);
  expect(await repo.sessions()).toMatchObject([{ status: "failed" }]);
  expect(await repo.status(bead)).toBe("open");
  expect(await repo.ready()).toEqual([]);
});

test("W8 W11 a result for an unknown task is a hard stop: the bead as before, the session failed, the reason in record and inbox", async () => {
  using repo = await WorkRepo.with({ result: { success: true, summary: "did it", task: "nope-123" } });
  const bead = await repo.bead("Mend the login");
  const { code, end } = await repo.work("task", bead);
  expect([code, end]).toMatchObject([1, { status: "failed", reason: "failed", done: [] }]);
  expect(await repo.status(bead)).toBe("open");
  const error = `the result is for nope-123, and the current task is ${bead}`;
  const { frontmatter, phases } = await repo.show(String(end["session_id"]));
  expect(frontmatter).toMatchObject({ status: "failed", error });
  expect(phases.at(-1)!.entries).toContainEqual({ kind: "error", text: error });
  expect((await repo.json<{ items: object[] }>("inbox")).items).toMatchObject([
    { bead, text: expect.stringContaining(error) },
  ]);
  // It may be corrected as any other wrong result.
  repo.configure("engine: scripted\nrepair_results: true\n");
  repo.plays(
    { when: "You are the engineer", result: { success: true, summary: "did it", task: "nope-123" } },
    { when: "was not accepted", result: { success: true, summary: "Corrected." } },
  );
  expect((await repo.work("task", bead)).end).toMatchObject({ status: "completed", done: [bead] });
});

test("W8 W11 a bead below that a run works on pauses the work, and what was done before stays done", async () => {
  using repo = await WorkRepo.with({ result: { success: true, summary: "Did one." } });
  const track = await repo.bead("The release", "-t", "epic");
  const one = await repo.bead("One", "--parent", track, "-p", "0");
  const two = await repo.bead("Two", "--parent", track, "-p", "1");
  mkdirSync(join(repo.root, ".clew/grimoires"), { recursive: true });
  const steps = "steps:\n- {name: a, type: script, command: 'exit 3'}\n";
  writeFileSync(join(repo.root, ".clew/grimoires/broken.yaml"), `name: broken\ndescription: It breaks.\n${steps}`);
  repo.git("commit", "-q", "--allow-empty", "-m", "first");
  expect((await repo.run(["run", two, "--grimoire", "broken"])).code).toBe(3);
  const beads = join(repo.root, ".beads/issues.jsonl");
  const lines = readFileSync(beads, "utf8").trim().split("\n");
  const reopened = lines.map((line) => {
    const each = JSON.parse(line) as { id: string };
    return JSON.stringify(each.id === two ? { ...each, status: "open" } : each);
  });
  writeFileSync(beads, `${reopened.join("\n")}\n`);
  const { code, end } = await repo.work("track", track);
  expect([code, end]).toMatchObject([4, { status: "paused", reason: "waiting", done: [one] }]);
  expect(String(end["error"])).toContain(`of ${two} is`);
  expect(await Promise.all([track, one, two].map((id) => repo.status(id)))).toEqual(["open", "closed", "open"]);
});
