import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { plan, planText, TurnRepo } from "../support/turn-repo.ts";

/** Ends what the engine plays. */
const result = { success: true, summary: "planned", outputs: {} };

describe("T3 T4 answers that are no plan", () => {
  test("T4 it is saved with all that is wrong, by line and with a picture, and --repair hands it back", async () => {
    using repo = new TurnRepo();
    repo.answers({ "# Repair": { say: planText("Mended"), result }, "Go wrong": "Sorry, I cannot.\n" });
    const id = await repo.newSession("bad");
    const bad = await repo.run(["session", "plan", "-m", "Go wrong"]);
    expect(bad.code).toBe(2);
    expect(bad.stdout).toContain("The answer is no valid plan. It was saved as turn 01.");
    expect(bad.stdout).toMatch(/error: plan\.md:\d+:\d+: .*\n +\d+ │/);
    expect(bad.stdout).toContain("clew session plan --repair");
    expect((await repo.json<{ turns: object[] }>("session", "turns")).turns).toMatchObject([{ status: "invalid" }]);
    expect(await plan(repo, "--repair")).toMatchObject({ turn: "01", repairs: 1, plan: { title: "Mended" } });
    expect(repo.turnFile(id, "01", "_repair-1.log")).toContain("Sorry, I cannot.");
    expect(repo.turnFile(id, "01", "_repair-1.log").startsWith(repo.turnFile(id, "01", "_context.log"))).toBe(true);
    expect(repo.turnFile(id, "01", "plan.md")).toBe(planText("Mended"));
    expect(repo.store.hashes(id, "01")).toEqual((repo.lines(id).at(-1) as { hashes: object }).hashes);
    expect((await repo.refused(["session", "plan", "--repair"])).message).toContain("is valid");
  });

  test("T4 --repair with a new plan hands errors back at most twice", async () => {
    using repo = new TurnRepo();
    repo.answers({ "Go wrong": "no plan\n" });
    const id = await repo.newSession("worse");
    const planned = await plan(repo, "-m", "Go wrong", "--repair");
    expect([planned.repairs, planned.plan]).toEqual([2, undefined]);
    expect(Object.keys(repo.store.hashes(id, "01"))).toEqual([
      "_context.log",
      "_repair-1.log",
      "_repair-2.log",
      "plan.md",
      "turn.context",
    ]);
    const refused = await repo.refused(["session", "plan", "--repair"]);
    expect([refused.code, refused.message]).toEqual([
      "not_possible_now",
      expect.stringContaining("were handed back twice"),
    ]);
    expect(refused.hint).toContain(`clew session branch 01 -s ${id} -m TEXT`);
  });

  test("T4 errors are handed back at most twice over several commands, too", async () => {
    using repo = new TurnRepo();
    repo.answers({ "# Repair": { say: planText("Mended"), result }, "Go wrong": "no plan\n" });
    const id = await repo.newSession("worst");
    await repo.run(["session", "plan", "-m", "Go wrong"]);
    expect(await plan(repo, "--repair")).toMatchObject({ repairs: 1, plan: { title: "Mended" } });
    // A person spoils it, and the agent does not put it right.
    writeFileSync(join(repo.root, ".clew/sessions", id, "01/plan.md"), "no plan\n");
    repo.answers({ "Go wrong": "no plan\n" });
    expect(await plan(repo, "--repair")).toMatchObject({ repairs: 2 });
    expect((await repo.refused(["session", "plan", "--repair"])).message).toContain("were handed back twice");
    const logs = Object.keys(repo.store.hashes(id, "01")).filter((name) => name.startsWith("_repair"));
    expect(logs).toEqual(["_repair-1.log", "_repair-2.log"]);
  });

  test("T3 a failed or an empty answer leaves no half turn", async () => {
    using repo = new TurnRepo();
    repo.answers({ "Fail now": { fail: "no credit" }, "Say nothing": { say: "  \n" } });
    const id = await repo.newSession("failing");
    const failed = await repo.run(["session", "plan", "-m", "Fail now"]);
    expect([failed.code, failed.stdout]).toEqual([1, ""]);
    expect(failed.stderr).toContain("scripted gave no plan: no credit; no turn was made");
    const empty = await repo.run(["session", "plan", "-m", "Say nothing"]);
    expect([empty.code, empty.stderr.includes("answered nothing")]).toEqual([1, true]);
    expect(repo.entries(id)).toEqual(["session.context", "session.md"]);
  });

  test("T3 T7 a branch whose plan failed says that it stays empty, and how it is filled", async () => {
    using repo = new TurnRepo();
    repo.answers({ "Go on": planText("One"), "Fail now": { fail: "no credit" } });
    const id = await repo.newSession("branching");
    await plan(repo, "-m", "Go on");
    const { code, stderr } = await repo.run(["session", "branch", "01", "-m", "Fail now"]);
    const fills = `the branch 01-branch-01 stays, without a plan: clew session plan --from 01-branch-01 -s ${id} -m TEXT`;
    expect([code, stderr]).toEqual([1, expect.stringContaining(fills)]);
    expect(Object.keys(repo.store.hashes(id, "01-branch-01"))).toEqual(["_context.log", "turn.context"]);
    expect(await plan(repo, "--from", "01-branch-01", "-m", "Go on")).toMatchObject({ turn: "01-branch-01" });
  });

  test("T4 plan --check needs no session and asks no agent", async () => {
    using repo = new TurnRepo();
    repo.write("good.md", planText("Good"));
    repo.write("bad.md", "# Bad\n");
    expect(await repo.json("session", "plan", "--check", "good.md")).toMatchObject({
      problems: [],
      plan: { title: "Good" },
    });
    const bad = await repo.run(["session", "plan", "--check", "bad.md"]);
    expect([bad.code, bad.stdout.includes("bad.md is no valid plan")]).toEqual([2, true]);
    expect((await repo.run(["session", "plan", "--check", "gone.md"])).code).toBe(2);
  });
});
