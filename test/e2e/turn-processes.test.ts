import { existsSync, readdirSync, renameSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { processesWith } from "../support/processes.ts";
import { startClew, until, type Started } from "../support/runs.ts";
import { Served } from "../support/served.ts";
import { planText, TurnRepo } from "../support/turn-repo.ts";

/** Plans with an agent that takes its time; resolves when the agent has begun. */
async function planSlowly(repo: TurnRepo, session: string): Promise<Started> {
  repo.answers({ "Take your time": { delay_ms: 60_000, say: planText("Late") }, "Be quick": planText("Quick") });
  const env = { CLEW_TEST_TREE: repo.root };
  const planning = startClew(repo, ["session", "plan", "-m", "Take your time", "-s", session], { env });
  const transcripts = join(repo.home, "transcripts", session);
  await until(() => existsSync(transcripts) && readdirSync(transcripts).length > 0);
  return planning;
}

test("T3 one process works on the turns of a session; Ctrl-C ends the agent and leaves nothing", async () => {
  using repo = new TurnRepo();
  const id = await repo.newSession("slow");
  const planning = await planSlowly(repo, id);
  for (const args of [
    ["plan", "-m", "Be quick"],
    ["branch", "01"],
  ]) {
    const { code, stderr } = await repo.run(["session", ...args]);
    expect([code, stderr]).toEqual([2, expect.stringContaining(`another process works on the turns of ${id}`)]);
  }
  expect((await repo.run(["session", "delete", id, "--yes"])).code).not.toBe(0);
  planning.child.kill("SIGINT");
  const { code, stderr } = await planning.outcome;
  expect([code, stderr]).toEqual([130, expect.stringContaining("no turn was made")]);
  expect(processesWith(`CLEW_TEST_TREE=${repo.root}`)).toEqual([]);
  expect(repo.entries(id)).toEqual(["session.context", "session.md"]);
  expect((await repo.run(["session", "plan", "-m", "Be quick"])).code).toBe(0);
  expect(repo.entries(id)).toEqual(["01", "session.context", "session.md", "turns.jsonl"]);
});

test("T3 kill -9 while an agent is asked leaves no half turn, no lock and no agent", async () => {
  using repo = new TurnRepo();
  const id = await repo.newSession("killed");
  const planning = await planSlowly(repo, id);
  planning.child.kill("SIGKILL");
  await planning.outcome;
  await until(() => processesWith(`CLEW_TEST_TREE=${repo.root}`).length === 0);
  expect(repo.entries(id)).toEqual(["session.context", "session.md"]);
  expect((await repo.run(["session", "plan", "-m", "Be quick"])).code).toBe(0);
});

test("T3 S7 what a crash left between a turn's line and its folder is completed, and session.md follows", async () => {
  using repo = new TurnRepo();
  repo.answers({ "Be quick": planText("Quick") });
  const id = await repo.newSession("crashed");
  await repo.clew("session", "plan", "-m", "Be quick");
  const folder = join(repo.root, ".clew/sessions", id);
  // The line is there, the folder not yet in its place; beside it, what has no line.
  renameSync(join(folder, "01"), join(folder, ".01.new"));
  repo.write(`.clew/sessions/${id}/.02.new/plan.md`, "half");
  await repo.clew("session", "branch", "01");
  expect(repo.entries(id)).toEqual(["01", "01-branch-01", "session.context", "session.md", "turns.jsonl"]);
  // A line that no process has written to session.md yet.
  repo.executed(id, "01");
  expect(repo.read(id)).not.toContain("## Execute 01");
  await repo.clew("session", "list");
  expect(repo.read(id)).toContain("## Execute 01: Quick");
  const { phases } = await repo.show(id);
  expect(phases.map(({ title }) => title)).toEqual(["Plan 01: Quick", "Branch 01-branch-01", "Execute 01: Quick"]);
});

test("T3 a deleted session takes with it what its turns had in git's folder", async () => {
  using repo = new TurnRepo();
  repo.answers({ "Be quick": planText("Quick") });
  const id = await repo.newSession("gone");
  await repo.clew("session", "plan", "-m", "Be quick");
  repo.write(`.git/clew/turns/${id}/01/before`, "old");
  await repo.clew("session", "end", id);
  expect((await repo.run(["session", "plan", "-m", "Be quick"])).stderr).toContain(`session ${id} is completed`);
  await repo.clew("session", "delete", id, "--yes");
  expect(existsSync(join(repo.root, ".clew/sessions", id))).toBe(false);
  expect(existsSync(join(repo.home, "turns", id))).toBe(false);
  expect(existsSync(join(repo.home, "locks/turns", `${id}.lock`))).toBe(false);
});

test("D2 turns are made, planned, listed, branched and checked over REST", async () => {
  const repo = new TurnRepo();
  repo.answers({ "Be quick": planText("Quick") });
  await using api = await Served.start(repo);
  const made = await api.post("/turns", { name: "over-rest" });
  const id = made.body.session_id as string;
  expect((await api.get(`/sessions/${id}/turns/context`)).body).toMatchObject({ turn: "01", files: [] });
  const planned = await api.post(`/sessions/${id}/plans`, { message: "Be quick", agent: "dev" });
  expect([planned.status, planned.body]).toMatchObject([200, { turn: "01", agent: "dev", plan: { title: "Quick" } }]);
  expect(repo.turnFile(id, "01", "plan.md")).toBe(planText("Quick"));
  const early = await api.post(`/sessions/${id}/plans`, { message: "Be quick" });
  expect([early.status, early.body.error.code]).toEqual([409, "not_possible_now"]);
  expect((await api.post(`/sessions/${id}/turns/01/branch`)).body).toMatchObject({ turn: "01-branch-01" });
  expect((await api.get(`/sessions/${id}/turns`)).body).toMatchObject({
    turns: [{ turn: "01", status: "planned" }, { status: "branched" }],
  });
  expect((await api.post("/plans/check", { text: planText("X") })).body).toMatchObject({ plan: { title: "X" } });
  expect((await api.post("/turns", { name: "No Name" })).status).toBe(400);
  expect((await api.post(`/sessions/${id}/turns/07/branch`)).status).toBe(404);
});
