import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { action, ExecutionRepo } from "../support/execution-repo.ts";

interface Listed {
  turns: { turn: string; status: string; title: string }[];
}

test("T5 T7 a turn that failed or was undone says how it is done again: a branch with its plan, without an agent", async () => {
  using repo = await ExecutionRepo.begin();
  repo.env["CLEW_SCRIPT"] = join(repo.root, "no-such-script.json");
  repo.plan("01", [action.create("a.txt", "a"), action.execute("test -f ready")]);
  const again = `clew session branch 01 --same-plan -s ${repo.session}`;
  const failed = await repo.run(["session", "execute", "-y"]);
  expect([failed.code, failed.stdout]).toEqual([1, expect.stringContaining(`again: ${again}`)]);
  expect((await repo.refused(["session", "execute", "01"])).hint).toContain(`; clew session undo 01 before`);
  expect((await repo.run(["session", "undo", "01"])).stdout).toContain(`to do it again: ${again}`);
  for (const args of [
    ["execute", "01"],
    ["undo", "01"],
  ])
    expect((await repo.refused(["session", ...args])).hint).toContain(
      `clew session branch 01 -s ${repo.session} --same-plan`,
    );

  repo.write("ready", "");
  const made = await repo.json<{ turn: string }>("session", "branch", "01", "--same-plan");
  expect(made.turn).toBe("01-branch-01");
  expect((await repo.run(["session", "execute", "-y"])).code).toBe(0);
  expect([repo.text("a.txt"), repo.turnFile(repo.session, made.turn, "plan.md")]).toEqual([
    "a\n",
    repo.turnFile(repo.session, "01", "plan.md"),
  ]);
  const { turns } = await repo.json<Listed>("session", "turns");
  expect(turns.map(({ turn, status }) => [turn, status])).toEqual([
    ["01", "FAILURE"],
    ["01-branch-01", "SUCCESS"],
  ]);
  expect(repo.lines(repo.session).filter(({ type }) => type === "planned")).toMatchObject([
    { turn: "01" },
    { turn: "01-branch-01", agent: "dev", plan_of: "01" },
  ]);
  const { phases } = await repo.show(repo.session);
  const plan = phases.find(({ title }) => title === "Plan 01-branch-01: Plan 01")!;
  expect(plan.entries).toMatchObject([{ text: "The plan of turn 01, once more; no agent was asked." }]);
  expect((await repo.json<{ intact: boolean }>("session", "verify")).intact).toBe(true);
});

test("T7 T8 no branch takes over a plan that was not executed, or is not the one that was", async () => {
  using repo = await ExecutionRepo.begin();
  repo.plan("01", [action.create("a.txt", "a")]);
  const branch = ["session", "branch", "01", "--same-plan"];
  expect((await repo.run(branch)).stderr).toContain("turn 01 has not been executed");
  await repo.clew("session", "execute", "-y");
  expect((await repo.refused([...branch, "-m", "Otherwise"])).message).toContain("--same-plan asks no agent");
  writeFileSync(join(repo.root, ".clew/sessions", repo.session, "01/plan.md"), "# Other\n");
  expect((await repo.refused(branch)).message).toContain("is not the one that was executed");
  expect(repo.entries(repo.session)).not.toContain("01-branch-01");
});
