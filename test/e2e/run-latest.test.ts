import { appendFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { MergeRepo } from "../support/merge-repo.ts";
import { RunRepo } from "../support/run-repo.ts";

test("G17 latest never means an older run when the newest cannot be read", async () => {
  using repo = new RunRepo('  - {name: one, type: script, command: "false"}\n');
  const second = await repo.clew("bead", "create", "Second");
  expect((await repo.run(["run", "proj-1"])).code).toBe(3);
  expect((await repo.run(["run", second])).code).toBe(3);
  const { runs } = await repo.json<{ runs: { id: string; bead_id: string }[] }>("run", "list");
  const [newest, older] = runs;
  expect(newest!.bead_id).toBe(second);
  appendFileSync(join(repo.home, `logs/workflows/${newest!.id}.jsonl`), "garbage\n{}\n");
  expect(await repo.refused(["run", "cancel", "latest"])).toMatchObject({
    code: "damaged_run",
    message: expect.stringContaining(newest!.id) as string,
  });
  const { run } = await repo.json<{ run: { status: string } }>("run", "show", older!.id);
  expect(run.status).toBe("blocked");

  // The claim of the run that cannot be read keeps none of the others from being looked at.
  const claims = join(repo.home, "claims");
  writeFileSync(join(claims, "gone-1.json"), '{"bead":"gone-1","run":"2026-01-01-gone-1"}\n');
  const { stdout } = await repo.run(["doctor"]);
  expect(stdout).toContain("the claim on gone-1 is nobody's: there is no run 2026-01-01-gone-1");
});

test("G2 G13 the end of a run names as ready only what waited for its bead", async () => {
  using repo = new RunRepo('  - {name: one, type: script, command: "true"}\n');
  const waiting = await repo.clew("bead", "create", "Waiting", "--dep", "proj-1");
  const other = await repo.clew("bead", "create", "Other", "--dep", "duplicates:proj-1");
  const ended = await repo.clew("run", "proj-1");
  expect(ended).toContain(`ready now: ${waiting} (Waiting)`);
  expect(ended).not.toContain(other);
});

test("G12 run diff offers the verdicts that the merge takes", async () => {
  using repo = new MergeRepo("echo new > new.txt");
  expect((await repo.run(["run", "proj-1"])).code).toBe(4);
  const verdicts = async (): Promise<string> => (await repo.run(["run", "diff", "proj-1", "--stat"])).stderr;
  expect(await verdicts()).toMatch(/clew run approve \S+\n/);
  expect(await verdicts()).not.toContain("clew run changes");
  using looping = new MergeRepo("echo new > new.txt", { inLoop: true, merge: { on_changes: "continue" } });
  expect((await looping.run(["run", "proj-1"])).code).toBe(4);
  expect((await looping.run(["run", "diff", "proj-1", "--stat"])).stderr).toMatch(/clew run changes \S+ -m TEXT/);
});
