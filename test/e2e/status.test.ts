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
    expect(await overviewOf(repo)).toEqual({ needs_you: [], running: [], ready: [], ended: [] });
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
    expect(Object.keys(overview)).toEqual(["needs_you", "running", "ready", "ended"]);
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
});
