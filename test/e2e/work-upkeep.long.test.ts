import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { expect, test } from "vitest";
import { hasTerminals, onTerminal } from "../support/terminal.ts";
import { WorkRepo } from "../support/work-repo.ts";

const program = resolve(import.meta.dirname, "../../dist/clew.cjs");
const clew = `'${process.execPath}' '${program}'`;
const done = { result: { success: true, summary: "Mended it." } };
const later = { result: { success: false, summary: "Later.", status: "paused" } };

interface Item {
  id: string;
  kind: string;
  text: string;
  session_id?: string;
  bead?: string;
  next?: string;
}

const inbox = async (repo: WorkRepo): Promise<Item[]> => (await repo.json<{ items: Item[] }>("inbox")).items;
const claims = (repo: WorkRepo): string[] => readdirSync(join(repo.home, "claims"));

test.each([
  ["ended as abandoned", ["end", "--status", "abandoned"]],
  ["deleted", ["delete", "--yes"]],
])("W8 a work session that is %s leaves no claim", async (_, [command, ...options]) => {
  using repo = await WorkRepo.with(later);
  const bead = await repo.bead("Mend the login");
  const id = String((await repo.work("task", bead)).end["session_id"]);
  expect(claims(repo)).toHaveLength(1);
  await repo.clew("session", command!, id, ...options);
  expect(claims(repo)).toEqual([]);
  expect(existsSync(join(repo.home, "state/ai-sync", `${id}.json`))).toBe(command === "end");
  expect(await repo.ready()).toEqual([bead]);
});

test("W1 bead show names the work session that holds the bead, and how to go on with it", async () => {
  using repo = await WorkRepo.with(later);
  const bead = await repo.bead("Mend the login");
  const session = String((await repo.work("task", bead)).end["session_id"]);
  expect(await repo.json("bead", "show", bead)).toMatchObject({
    work: { session, next: `clew session resume ${session}` },
  });
  expect(await repo.clew("bead", "show", bead)).toContain(`clew session resume ${session}`);
  await repo.clew("session", "end", session, "--status", "abandoned");
  expect(await repo.json("bead", "show", bead)).not.toHaveProperty("work");
});

test("W8 the doctor counts the beads of work sessions, and mends the claims and breadcrumbs that a crash left", async () => {
  using repo = await WorkRepo.with(later);
  const bead = await repo.bead("Mend the login");
  const id = String((await repo.work("task", bead)).end["session_id"]);
  const found = async (...options: string[]): Promise<{ check: string; status: string; message: string }[]> => {
    const { stdout } = await repo.run(["doctor", ...options, "--json"]);
    return (JSON.parse(stdout) as { findings: { check: string; status: string; message: string }[] }).findings.filter(
      ({ check }) => check === "work sessions" || check === "left-over files",
    );
  };
  expect(await found()).toMatchObject([
    { check: "left-over files", status: "ok" },
    { check: "work sessions", status: "ok", message: "1 bead held by them" },
  ]);
  const file = join(repo.home, "claims", claims(repo)[0]!);
  const claim = readFileSync(file, "utf8");
  await repo.clew("session", "end", id, "--status", "abandoned");
  writeFileSync(file, claim);
  const leftover = join(repo.root, ".clew/sessions", id, "breadcrumbs/0/.20261117T101500.000Z.json.4194304.new");
  writeFileSync(leftover, "{");
  expect(await found()).toMatchObject([
    { check: "left-over files", status: "warning", message: `${leftover} was left by a crash` },
    { check: "work sessions", status: "warning", message: expect.stringContaining(`${id} is over`) },
  ]);
  expect(await found("--repair")).toMatchObject([{ status: "repaired" }, { status: "repaired" }]);
  expect([existsSync(leftover), existsSync(file)]).toEqual([false, false]);
});

test("W11 W8 work that needs a person is in the inbox with the command that goes on, until it goes on", async () => {
  using repo = await WorkRepo.with({ say: "All done, I promise!" });
  const bead = await repo.bead("Mend the login");
  const { end } = await repo.work("task", bead);
  const session_id = String(end["session_id"]);
  const [item, ...others] = await inbox(repo);
  expect(others).toEqual([]);
  expect(item).toMatchObject({ kind: "decision_needed", session_id, bead, next: `clew work task ${bead}` });
  expect(item!.text).toContain("is not the JSON object");
  const status = await repo.json<{ needs_you: Item[]; paused: object[] }>("status");
  expect([status.needs_you, status.paused]).toEqual([[item], []]);
  expect(await repo.clew("status")).toContain(`clew work task ${bead}`);
  expect(await repo.clew("inbox")).toContain(`clew work task ${bead}`);
  const refusal = await repo.refused(["inbox", "answer", item!.id, "yes"]);
  expect([refusal.code, refusal.hint]).toEqual(["not_possible_now", expect.stringContaining(`clew work task ${bead}`)]);
  // At a limit, the command raises it.
  repo.plays({ say: "x", usage: { input: 100, output: 1 } }, { say: "y", run: "sleep 20" }, done);
  await repo.work("task", bead, "--max-tokens", "100");
  const [limited] = await inbox(repo);
  expect(limited!.next).toMatch(new RegExp(`^clew work task ${bead} --max-tokens \\d+$`));
  // What stops by itself waits for nobody.
  repo.plays(later);
  await repo.work("task", bead);
  expect(await inbox(repo)).toEqual([]);
  expect(await repo.json("status")).toMatchObject({ needs_you: [], paused: [{ session_id }] });
  repo.plays({ say: "Not JSON" });
  await repo.work("task", bead);
  expect(await inbox(repo)).toHaveLength(1);
  repo.plays(done);
  await repo.work("task", bead);
  expect(await inbox(repo)).toEqual([]);
});

test("W11 a permission that nobody answered in time is in the inbox as work that waits", async () => {
  using repo = await WorkRepo.with({ ask: { tool: "Bash", input: { command: "rm -rf /tmp/x" } } }, done);
  repo.configure("engine: scripted\npermission_wait: 300ms\n");
  const bead = await repo.bead("Mend the login");
  const { code, end } = await repo.work("task", bead);
  expect([code, end]).toMatchObject([4, { reason: "permission" }]);
  expect(await inbox(repo)).toMatchObject([
    { session_id: end["session_id"], next: `clew work task ${bead}`, text: expect.stringContaining("Bash") },
  ]);
});

test("W7 a state that an agent deletes is made again from the record: sync and work go on, and say so", async () => {
  using repo = await WorkRepo.with();
  const track = await repo.bead("The release", "-t", "epic");
  const one = await repo.bead("One", "--parent", track, "-p", "0");
  const two = await repo.bead("Two", "--parent", track, "-p", "1");
  const three = await repo.bead("Three", "--parent", track, "-p", "2");
  writeFileSync(join(repo.root, "one.json"), JSON.stringify({ success: true, summary: "Did one.", task: one }));
  const state = '.clew/state/ai-sync/"$CLEW_SESSION".json';
  const sync = `${clew} ai sync --cookie "$CLEW_SESSION"`;
  repo.plays(
    { when: "One", run: `rm ${state}; ${sync} --result one.json > next.json 2> warning; rm ${state}` },
    { when: "One", result: { success: true, summary: "Did two.", task: two } },
    { when: "Three", ...later },
  );
  const { code, stdout, stderr } = await repo.run(["work", "track", track, "--json"]);
  const end = JSON.parse(stdout.trim().split("\n").at(-1)!) as { done: string[]; session_id: string };
  expect([code, end]).toMatchObject([4, { reason: "paused", done: [one, two] }]);
  expect(JSON.parse(readFileSync(join(repo.root, "next.json"), "utf8"))).toMatchObject({ task: { id: two } });
  for (const told of [readFileSync(join(repo.root, "warning"), "utf8"), stderr])
    expect(told).toContain("was lost or damaged");
  expect(await Promise.all([one, two, three].map((id) => repo.status(id)))).toEqual(["closed", "closed", "open"]);
  // Also between two calls, and when it cannot be read.
  writeFileSync(join(repo.home, "state/ai-sync", `${end.session_id}.json`), "{");
  repo.plays(done);
  const again = await repo.run(["work", "track", track, "--json"]);
  expect(JSON.parse(again.stdout.trim().split("\n").at(-1)!)).toMatchObject({
    session_id: end.session_id,
    status: "completed",
    done: [one, two, three],
  });
  expect(again.stderr).toContain("was lost or damaged");
});

test("W1 a session whose state is gone is still its own: it is ended with its claim", async () => {
  using repo = await WorkRepo.with(later);
  const bead = await repo.bead("Mend the login");
  const id = String((await repo.work("task", bead)).end["session_id"]);
  rmSync(join(repo.home, "state/ai-sync"), { recursive: true });
  await repo.clew("session", "end", id, "--status", "abandoned");
  expect(claims(repo)).toEqual([]);
});

test("W1 work without a kind takes what contains others as a track, and anything else as a task", async () => {
  using repo = await WorkRepo.with(done);
  const track = await repo.bead("The release", "-t", "epic");
  const one = await repo.bead("One", "--parent", track);
  const alone = await repo.bead("Alone");
  expect((await repo.work(track)).end).toMatchObject({ status: "completed", done: [one] });
  expect((await repo.work(alone)).end).toMatchObject({ status: "completed", done: [alone] });
  expect(await repo.refused(["work", "tsk", alone])).toMatchObject({ code: "usage", hint: "did you mean task?" });
  expect(await repo.refused(["work"])).toMatchObject({ code: "usage" });
  expect((await repo.refused(["work", "nosuch"])).message).toContain("no bead nosuch");
});

test("W1 W6 work in a linked worktree goes on there, on its own branch", async () => {
  using repo = await WorkRepo.with(later);
  repo.git("commit", "-q", "--allow-empty", "-m", "first");
  repo.git("worktree", "add", "-q", "-b", "side", "side");
  const bead = await repo.bead("Mend the login");
  const cwd = join(repo.root, "side");
  expect((await repo.run(["work", "task", bead], { cwd })).code).toBe(4);
  const [session] = await repo.sessions();
  expect((await repo.show(session!.session_id)).frontmatter.branch).toBe("side");
  repo.plays(done);
  expect((await repo.run(["work", "task", bead], { cwd })).code).toBe(0);
});

test("W1 W10 a work session does not go on as a talk", async () => {
  using repo = await WorkRepo.with(later);
  const bead = await repo.bead("Mend the login");
  const id = String((await repo.work("task", bead)).end["session_id"]);
  const refused = await repo.refused(["ai", "scripted", "Go on", "--resume", id, "--one-shot"]);
  expect([refused.message, refused.hint]).toEqual([
    expect.stringContaining(`the session of work on ${bead}`),
    `clew session resume ${id} goes on with it`,
  ]);
});

test.runIf(hasTerminals)("W1 on a terminal a line tells what the agent is at, and y answers a permission", async () => {
  using repo = await WorkRepo.with(
    { ask: { tool: "Bash", input: { command: "deploy" } } },
    { run: "sleep 3; echo rested" },
    done,
  );
  const bead = await repo.bead("Mend the login");
  const { code, written } = await onTerminal(repo, ["work", bead], {
    env: { CLEW_SCRIPT: repo.env["CLEW_SCRIPT"]! },
    types: [["[d]eny", "y\n"]],
  });
  expect([code, written]).toEqual([0, expect.stringMatching(/… \d+s · Bash sleep 3/)]);
});

test("W1 W8 a work session that holds a bead is not archived: it would hide what the bead waits for", async () => {
  using repo = await WorkRepo.with(later);
  const bead = await repo.bead("Mend the login");
  const id = String((await repo.work("task", bead)).end["session_id"]);
  const refused = await repo.refused(["session", "archive", id]);
  expect(refused).toMatchObject({ code: "not_possible_now", message: `the work session ${id} holds ${bead}` });
  expect(refused.hint).toContain(`clew session end ${id} --status abandoned`);
  await repo.clew("session", "end", id, "--status", "abandoned");
  await repo.clew("session", "archive", id);
  expect(await repo.ready()).toEqual([bead]);
});

test("W7 W8 a result that comes while the work is paused is refused, whatever is left of the session's state", async () => {
  using repo = await WorkRepo.with(later);
  const bead = await repo.bead("Mend the login");
  const id = String((await repo.work("task", bead)).end["session_id"]);
  writeFileSync(join(repo.root, "result.json"), JSON.stringify({ success: true, summary: "Mended." }));
  const sync = ["ai", "sync", "--cookie", id, "--result", "result.json"];
  expect((await repo.refused(sync)).message).toContain("is paused");
  rmSync(join(repo.home, "live", `${id}.state`));
  expect((await repo.refused(sync)).message).toContain("is paused");
  // Also when only the state of its work tells that no task is at hand.
  await repo.clew("session", "log", "decision", "Go on", "-s", id);
  const { message } = await repo.refused(sync);
  expect(message).toMatch(/no task .* is at hand, so the result was not taken|is paused/);
  expect(await repo.status(bead)).toBe("open");
});

test("W1 W11 a track with nothing ready is told in the inbox, with the command that goes on", async () => {
  using repo = await WorkRepo.with(done);
  const track = await repo.bead("The release", "-t", "epic");
  const outside = await repo.bead("Buy nails");
  const below = await repo.bead("Nail it", "--parent", track, "--dep", outside);
  const { code, end } = await repo.work("track", track);
  expect([code, end]).toMatchObject([4, { status: "paused", reason: "waiting", done: [] }]);
  expect(await inbox(repo)).toMatchObject([
    { bead: track, next: `clew work track ${track}`, text: expect.stringContaining(`${below} below ${track}`) },
  ]);
  await repo.clew("bead", "close", outside);
  expect((await repo.work("track", track)).code).toBe(0);
  expect(await inbox(repo)).toEqual([]);
});

test("W9 the last pause of a session that is given up stands in its timeline", async () => {
  using repo = await WorkRepo.with(later);
  const bead = await repo.bead("Mend the login");
  const id = String((await repo.work("task", bead)).end["session_id"]);
  await repo.clew("session", "end", id, "--status", "abandoned");
  const told = async (): Promise<[string, string][]> => {
    const { events } = await repo.json<{ events: { kind: string; text: string; at: string | null }[] }>(
      "session",
      "timeline",
      id,
    );
    const pauses = events.filter(({ kind }) => kind === "paused" || kind === "ended");
    expect(pauses.every(({ at }) => at !== null)).toBe(true);
    return pauses.map(({ kind, text }) => [kind, text.replace(/[^a-z ].*/, "")]);
  };
  expect(await told()).toEqual([
    ["paused", "paused"],
    ["ended", "abandoned"],
  ]);
  expect((await repo.show(id)).frontmatter).toMatchObject({ status: "abandoned", paused: expect.any(String) });
});
