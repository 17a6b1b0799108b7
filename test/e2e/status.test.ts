import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { outcomeOf, Repo, startProgram } from "../support/repo.ts";
import { runFlow, script, startClew, until, writeFlow } from "../support/runs.ts";

interface Overview {
  needs_you: { id: string; kind: string; text: string; run?: string; bead?: string }[];
  running: { id?: string; session_id?: string; kind: string; step?: string | null; status: string }[];
  ready: { id: string }[];
  ended: { session_id: string; status: string; kind: string }[];
  paused: { session_id: string; status: string }[];
  unreadable: { path: string; reason: string }[];
  ended_since_yesterday: number;
}

function overviewOf(repo: Repo): Promise<Overview> {
  return repo.json<Overview>("status");
}

describe("S11 clew alone", () => {
  test("S11 outside a repository, and before clew init, it says how to begin and leaves nothing behind", async () => {
    const folder = mkdtempSync(join(tmpdir(), "clew-nowhere-"));
    try {
      const alone = await outcomeOf(startProgram([], { cwd: folder }));
      expect([alone.code, alone.stderr]).toEqual([0, ""]);
      expect(alone.stdout).toContain("no git repository here");
      expect(alone.stdout).toContain("clew demo");
      expect((await outcomeOf(startProgram(["status"], { cwd: folder }))).code).toBe(2);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
    using repo = new Repo();
    const text = await repo.clew();
    expect(text).toContain("no .clew/ yet");
    expect(text).toContain("clew init");
    expect(await overviewOf(repo)).toEqual({
      needs_you: [],
      running: [],
      ready: [],
      ended: [],
      paused: [],
      unreadable: [],
      ended_since_yesterday: 0,
    });
    expect([existsSync(join(repo.root, ".clew")), existsSync(repo.home)]).toEqual([false, false]);
    expect(await repo.clew("--help")).toContain("Usage: clew");
  });

  test("S11 with nothing to tell, one friendly line and how to begin stand in place of empty sections", async () => {
    using repo = new Repo();
    await repo.clew("init");
    const text = await repo.clew();
    expect(text).toContain("Nothing waits for you, nothing runs, and no bead is ready.");
    expect(text).toContain("clew bead create");
    expect(text).not.toMatch(/^(?:Needs you|Running|Ready|Ended)/m);
  });

  test("S11 what needs you comes with its answer, then what runs, what is ready by priority, what ended", async () => {
    using repo = new Repo();
    const ended = await repo.clew("session", "start", "Yesterday's work");
    await repo.clew("session", "end", ended);
    const session = await repo.clew("session", "start", "Fix the login");
    const question = await repo.clew("session", "log", "-s", session, "decision_needed", "Drop the table?");
    const later = await repo.clew("bead", "create", "Later", "-p", "3");
    const urgent = await repo.clew("bead", "create", "Urgent", "-p", "0");
    const waits = await repo.clew("bead", "create", "Waits", "--dep", urgent);
    const overview = await overviewOf(repo);
    expect(Object.keys(overview)).toEqual(expect.arrayContaining(["needs_you", "running", "ready", "ended"]));
    const { items } = await repo.json<{ items: Overview["needs_you"] }>("inbox");
    expect(overview.needs_you).toEqual(items);
    expect(overview.needs_you.map(({ id }) => id)).toEqual([question]);
    expect(overview.running).toEqual([expect.objectContaining({ session_id: session, kind: "work" })]);
    expect(overview.ready.map(({ id }) => id)).toEqual([urgent, later]);
    expect(overview.ready.map(({ id }) => id)).not.toContain(waits);
    expect(overview.ended.map(({ session_id }) => session_id)).toEqual([ended]);
    const text = await repo.clew();
    const withoutTimes = (each: string): string => each.replace(/\d+ s ago/g, "");
    expect(withoutTimes(text)).toBe(withoutTimes(await repo.clew("status")));
    const order = [
      "Needs you 1",
      `clew inbox answer ${question}`,
      "Running 1",
      session,
      "Ready 2",
      urgent,
      later,
      "Ended",
    ];
    const places = order.map((each) => text.indexOf(each));
    expect(places.every((place, at) => place > (places[at - 1] ?? -1))).toBe(true);
    expect(text).toContain(`clew run ${urgent}`);
  });

  test("S11 a run at work shows its step, one that waits the command that goes on, one that was killed how to resume", async () => {
    using repo = new Repo();
    writeFlow(repo, script("hold", "touch held; while [ ! -e go ]; do sleep 0.1; done; exit 3"));
    const started = startClew(repo, ["run", "proj-1", "--grimoire", "flow"]);
    await until(async () => (await overviewOf(repo)).running.some(({ step }) => step === "hold"));
    const { running, ready } = await overviewOf(repo);
    expect(running).toEqual([
      expect.objectContaining({ kind: "run", bead_id: "proj-1", status: "running", step: "hold" }),
    ]);
    expect(ready).toEqual([]);
    started.child.kill("SIGKILL");
    await started.outcome;
    const interrupted = await overviewOf(repo);
    const { id } = interrupted.running[0]!;
    expect(interrupted.running).toEqual([expect.objectContaining({ status: "interrupted" })]);
    expect(await repo.clew()).toContain(`clew run resume ${id}`);
    writeFlow(repo, script("hold", "exit 3"));
    await repo.run(["run", "cancel", id!]);
    expect((await runFlow(repo)).code).not.toBe(0);
    const { needs_you, running: none } = await overviewOf(repo);
    expect(none).toEqual([]);
    expect(needs_you).toEqual([expect.objectContaining({ bead: "proj-1" })]);
    expect(await repo.clew()).toContain(`clew run retry ${needs_you[0]!.run}`);
  });

  test("S8 S11 a paused session is shown with the command that goes on with it; a run's, a subagent's and an old one are not", async () => {
    using repo = new Repo();
    const id = await repo.clew("session", "start", "Fix the login");
    await repo.clew("session", "log", "-s", id, "subagent", "--agent", "tester", "--mode", "link");
    await repo.clew("session", "pause", id);
    const now = new Date().toISOString();
    repo.place("2020-01-01-long-ago", { started: "2020-01-01T10:00:00Z", status: "paused" });
    repo.place("2026-11-16-of-a-run", { started: now, status: "paused", kind: "run" });
    repo.place("2026-11-16-below", { started: now, status: "paused", parent: id });
    const { paused, running } = await overviewOf(repo);
    expect(paused).toEqual([expect.objectContaining({ session_id: id, status: "paused", title: "Fix the login" })]);
    expect(running.map(({ session_id }) => session_id)).not.toContain(id);
    const text = await repo.clew();
    expect(text).toMatch(/^Paused 1$/m);
    expect(text.match(new RegExp(`clew session resume ${id}`, "g"))?.length).toBeGreaterThan(0);
    await repo.clew("session", "resume", id);
    expect((await overviewOf(repo)).paused).toEqual([]);
    expect(await repo.clew()).not.toContain("Paused");
  });

  test("G14 S11 blocked runs stand before merges, those before questions, the newest first; the rest is counted and named", async () => {
    using repo = new Repo();
    const older = await repo.clew("session", "start", "B older");
    const asked: string[] = [];
    for (let at = 0; at < 6; at++)
      asked.push(await repo.clew("session", "log", "-s", older, "decision_needed", `Question ${at}?`));
    await repo.clew("session", "end", older);
    const newer = await repo.clew("session", "start", "A newer");
    asked.push(await repo.clew("session", "log", "-s", newer, "decision_needed", "The newest?"));
    writeFlow(repo, script("fail", "exit 3"));
    expect((await runFlow(repo)).code).not.toBe(0);
    const { needs_you } = await overviewOf(repo);
    expect(needs_you[0]).toMatchObject({ bead: "proj-1" });
    expect(needs_you.slice(1).map(({ id }) => id)).toEqual(asked.toReversed());
    const { items } = await repo.json<{ items: Overview["needs_you"] }>("inbox");
    expect(items).toEqual(needs_you);
    expect(Object.keys(needs_you[1]!)).not.toContain("started");
    const text = await repo.clew();
    expect(text).toContain("Needs you 8");
    expect(text).toContain(`clew run retry ${needs_you[0]!.run}`);
    expect(text).toContain("… 3 more: clew inbox");
  });

  test("S11 the heading of what ended has the true count, and says when it is long ago", async () => {
    using repo = new Repo();
    const at = (hours: number): string => new Date(Date.now() - hours * 3_600_000).toISOString();
    const end = (id: string, hours: number): void =>
      repo.place(id, { started: at(hours + 1), ended: at(hours), status: "completed" });
    for (let number = 10; number < 22; number++) end(`2026-11-16-number-${number}`, 200 + number);
    expect(await repo.clew()).toMatch(/^Ended before yesterday$/m);
    expect((await overviewOf(repo)).ended).toHaveLength(3);
    for (let number = 10; number < 60; number++) end(`2026-11-17-number-${number}`, number / 1000);
    const { ended, ended_since_yesterday } = await overviewOf(repo);
    expect([ended.length, ended_since_yesterday]).toEqual([10, 50]);
    expect(ended[0]!.session_id).toBe("2026-11-17-number-10");
    const text = await repo.clew();
    expect(text).toMatch(/^Ended 10 of 50 since yesterday$/m);
    expect(text).toContain("… 40 more: clew session list");
  });

  test("S12 an unreadable session is told as such", async () => {
    using repo = new Repo();
    await repo.clew("session", "start", "Fine");
    repo.place("2026-11-01-broken", { status: "sleeping" });
    const { unreadable } = await overviewOf(repo);
    const { unreadable: listed } = await repo.json<Overview>("session", "list");
    expect(unreadable).toHaveLength(1);
    expect(unreadable).toEqual(listed);
    expect(await repo.clew()).toMatch(/^unreadable .*2026-11-01-broken/m);
  });
});
