import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { expect, test } from "vitest";
import { WorkRepo } from "../support/work-repo.ts";

const program = resolve(import.meta.dirname, "../../dist/clew.cjs");

const done = { result: { success: true, summary: "Mended it." } };

test("W1 W8 work on a task: a session of kind work, the bead closed by a valid result, and all of it on record", async () => {
  using repo = await WorkRepo.with(
    { say: "I look", run: "echo seen", usage: { input: 10, output: 3 } },
    { write: { path: "a.txt", content: "one\n" }, ...done },
  );
  const bead = await repo.bead("Mend the login");
  const { code, stderr } = await repo.run(["work", "task", bead]);
  expect([code, stderr]).toEqual([0, expect.stringContaining(`${bead} is done`)]);
  expect(await repo.status(bead)).toBe("closed");
  const [session] = await repo.sessions();
  expect(session).toMatchObject({ kind: "work", status: "completed" });
  const { frontmatter, phases } = await repo.show(session!.session_id);
  expect(frontmatter).toMatchObject({ bead, title: "Mend the login", tokens_used: 13 });
  expect(frontmatter.engine_sessions).toMatchObject([{ engine: "scripted" }]);
  expect(phases.map(({ title }) => title)).toEqual([`Mend the login (${bead})`]);
  expect(phases[0]!.entries.map(({ kind }) => kind)).toEqual(["text", "tool", "tokens", "tool", "task_complete"]);
  expect(existsSync(join(repo.root, "a.txt"))).toBe(true);
  expect(readdirSync(join(repo.home, "claims"))).toEqual([]);
});

test("W3 the prompt has the task, its stage and track, the session as cookie, and how to report and finish", async () => {
  using repo = await WorkRepo.with();
  const track = await repo.bead("The release", "-t", "epic");
  const stage = await repo.bead("Stage one", "--parent", track);
  const task = await repo.bead("Write the notes", "--parent", stage, "-d", "What has changed");
  const simulation = await repo.json<{ prompt: string; session: null; engine: string }>(
    "work",
    "task",
    task,
    "--simulate",
  );
  expect(simulation).toMatchObject({ session: null, engine: "scripted" });
  for (const word of [task, "Write the notes", "What has changed", "Stage one", "The release", "clew ai sync --cookie"])
    expect(simulation.prompt).toContain(word);
  expect(simulation.prompt).toContain('{"success": true, "summary":');
});

test("W1 --simulate writes nothing", async () => {
  using repo = await WorkRepo.with(done);
  const bead = await repo.bead("Mend the login");
  const before = repo.record();
  const { code, stdout } = await repo.run(["work", "task", bead, "--simulate"]);
  expect([code, stdout]).toEqual([0, expect.stringContaining("Mend the login")]);
  expect(repo.record()).toEqual(before);
  expect([await repo.status(bead), await repo.sessions()]).toEqual(["open", []]);
  expect(existsSync(join(repo.home, "claims"))).toBe(false);
});

test("W6 W8 two steps: an agent that stops by itself pauses (exit 4), the next one ends the same work session", async () => {
  using repo = await WorkRepo.with({
    say: "Half done",
    result: { success: false, summary: "Later.", status: "paused" },
  });
  const bead = await repo.bead("Mend the login");
  const first = await repo.work("task", bead);
  expect(first.code).toBe(4);
  expect(first.end).toMatchObject({
    type: "ended",
    status: "paused",
    reason: "paused",
    next: `clew work task ${bead}`,
  });
  expect(await repo.status(bead)).toBe("open");
  // The claim stays with the session, so that nobody else takes the bead.
  expect(await repo.ready()).toEqual([]);
  expect(await repo.refused(["run", bead], {}, 2).catch(String)).toMatchObject({ code: "not_possible_now" });
  repo.plays({ say: "The rest" }, done);
  const second = await repo.work("task", bead);
  expect([second.code, second.end["session_id"]]).toEqual([0, first.end["session_id"]]);
  // It went on in the engine's own session.
  expect(second.end["engine_session"]).toBe(first.end["engine_session"]);
  const sessions = await repo.sessions();
  expect(sessions).toMatchObject([{ status: "completed" }]);
  const { phases } = await repo.show(sessions[0]!.session_id);
  expect(phases.flatMap(({ entries }) => entries.flatMap((each) => ("text" in each ? each.text : [])))).toEqual(
    expect.arrayContaining(["Half done", "The rest"]),
  );
  expect(await repo.status(bead)).toBe("closed");
});

test.each([
  ["no result at all", { say: "I am done, believe me" }, "is not the JSON object"],
  ["a result without a summary", { say: '{"success": true}' }, "has no summary"],
  ["one that tells of a failure", { result: { success: false, summary: "It cannot be." } }, "It cannot be."],
  ["an engine that fails", { fail: "the model broke" }, "the model broke"],
])("W8 hard stop: %s", async (_, turn, error) => {
  using repo = await WorkRepo.with({ say: "I begin" }, turn);
  const bead = await repo.bead("Mend the login");
  const { code, stderr } = await repo.run(["work", "task", bead]);
  expect([code, stderr]).toEqual([1, expect.stringContaining(error)]);
  expect(await repo.status(bead)).toBe("open");
  const [session] = await repo.sessions();
  expect(session).toMatchObject({ status: "failed" });
  const { frontmatter, phases } = await repo.show(session!.session_id);
  expect(frontmatter.error).toContain(error);
  expect(JSON.stringify(phases)).toContain("I begin");
  expect(readdirSync(join(repo.home, "transcripts", session!.session_id)).length).toBeGreaterThan(0);
  // It can be resumed.
  repo.plays(done);
  expect((await repo.work("task", bead)).end).toMatchObject({ session_id: session!.session_id, status: "completed" });
});

test("W8 with repair_results an agent may correct a wrong result once", async () => {
  using repo = await WorkRepo.with(
    { when: "You are the engineer", say: "not JSON" },
    { when: "was not accepted", result: { success: true, summary: "Corrected." } },
  );
  repo.configure("engine: scripted\nrepair_results: true\n");
  const bead = await repo.bead("Mend the login");
  expect((await repo.work("task", bead)).end).toMatchObject({ status: "completed" });
});

test("W7 ai sync tells the task, closes it only with a valid result, and is done when nothing is left", async () => {
  using repo = await WorkRepo.with({ say: "x", result: { success: false, summary: "Later.", status: "paused" } });
  const track = await repo.bead("The release", "-t", "epic");
  const [one, two] = [await repo.bead("One", "--parent", track, "-p", "0"), await repo.bead("Two", "--parent", track)];
  repo.plays(
    {
      when: "One",
      run: `node -e 'console.log(JSON.stringify({success: true, summary: "Did one."}))' | '${process.execPath}' '${program}' ai sync --cookie "$CLEW_SESSION" --result - > next.json`,
    },
    { when: "One", result: { success: true, summary: "Did two." } },
  );
  const { code, end } = await repo.work("track", track);
  expect([code, end]).toMatchObject([0, { status: "completed", done: [one, two] }]);
  const next = JSON.parse(readFileSync(join(repo.root, "next.json"), "utf8")) as {
    done: boolean;
    task: { id: string };
  };
  expect(next).toMatchObject({ done: false, task: { id: two } });
  // Completion rolls up.
  expect([await repo.status(one), await repo.status(two), await repo.status(track)]).toEqual(
    Array.from({ length: 3 }, () => "closed"),
  );
  const unknown = await repo.run(["ai", "sync", "--cookie", "2020-01-01-none"]);
  expect([unknown.code, unknown.stderr]).toEqual([2, expect.stringContaining("there is no work session")]);
});

test("W1 a track goes through what is ready below it, and waits when the rest is not", async () => {
  using repo = await WorkRepo.with(done);
  const track = await repo.bead("The release", "-t", "epic");
  const one = await repo.bead("One", "--parent", track);
  const outside = await repo.bead("Not below");
  const two = await repo.bead("Two", "--parent", track, "--dep", outside);
  const { code, end } = await repo.work("track", track);
  expect([code, end]).toMatchObject([4, { status: "paused", reason: "waiting", done: [one] }]);
  expect([await repo.status(one), await repo.status(two), await repo.status(track)]).toEqual([
    "closed",
    "open",
    "open",
  ]);
  await repo.clew("bead", "close", outside);
  expect((await repo.work("track", track)).end).toMatchObject({ status: "completed", done: [one, two] });
  expect(await repo.status(track)).toBe("closed");
});

test("W1 what cannot be worked on is refused, and leaves no trace", async () => {
  using repo = await WorkRepo.with(done);
  const [bead, other] = [await repo.bead("Mend the login"), await repo.bead("Another")];
  await repo.clew("bead", "close", other);
  const refusals: [string[], string][] = [
    [["work", "task", "nosuch"], "no bead nosuch"],
    [["work", "task", other], "is closed"],
    [["work", "task", bead, "--engine", "clod"], "no engine clod"],
    [["work", "task", bead, "--session", "2020-01-01-none"], "no session"],
  ];
  for (const [args, message] of refusals) expect((await repo.refused(args)).message).toContain(message);
  const chat = (await repo.run(["ai", "scripted", "Hello", "--one-shot", "--json"])).stdout.trim().split("\n").at(-1)!;
  const { session_id } = JSON.parse(chat) as { session_id: string };
  expect((await repo.refused(["work", "task", bead, "--session", session_id])).message).toContain("kind chat");
  expect((await repo.work("task", bead)).code).toBe(0);
  const [work] = (await repo.sessions()).filter(({ kind }) => kind === "work");
  const third = await repo.bead("A third");
  const completed = await repo.refused(["work", "task", third, "--session", work!.session_id]);
  expect(completed.message).toContain("is completed");
});
