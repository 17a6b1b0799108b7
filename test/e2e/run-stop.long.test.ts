import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { endNow, treeOf } from "../support/processes.ts";
import { linesOf, RunRepo } from "../support/run-repo.ts";
import { fileIn, showRun, startClew, until } from "../support/runs.ts";

const slow = "- {name: slow, type: script, command: 'echo begun >> ../../notes; test -e ../../go || sleep 60'}";

async function stopped(how: NodeJS.Signals): Promise<RunRepo> {
  const repo = new RunRepo(slow);
  const { child, outcome } = startClew(repo, ["run", "proj-1"]);
  await until(() => fileIn(repo, "notes").exists());
  if (how === "SIGKILL") treeOf(child.pid!).forEach(endNow);
  else child.kill(how);
  await outcome;
  writeFileSync(join(repo.root, "go"), "");
  return repo;
}

describe("G16 D1 whoever stopped a run", () => {
  for (const [signal, reason] of [
    ["SIGINT", "Ctrl-C"],
    ["SIGTERM", "SIGTERM"],
  ] as const) {
    test(`D1 a person, by ${signal}: the journal says so, and no scheduler goes on with it`, async () => {
      using repo = await stopped(signal);
      const run = await showRun(repo);
      expect(run).toMatchObject({ status: "interrupted", stopped: { reason } });
      const lines = linesOf(readFileSync(run.journal, "utf8"));
      expect(lines.filter(({ type }) => type === "run.stopped")).toHaveLength(1);
      // What was worked until then counts, also for the next driver.
      const begunMs = lines.findLast((line) => line.type === "workflow.step.started")!.running_ms;
      expect(run.running_ms).toBeGreaterThan(begunMs);
      expect(await repo.clew("run", "show", run.id)).toContain(`stopped by a person (${reason})`);
      const { items } = await repo.json<{ items: object[] }>("inbox");
      expect(items).toMatchObject([{ id: `stopped:${run.id}`, kind: "decision_needed", run: run.id, bead: "proj-1" }]);
      expect((await repo.run(["daemon", "run", "--once"])).code).toBe(4);
      expect(repo.notes).toBe("begun\n");
      expect((await showRun(repo)).status).toBe("interrupted");
      // A person goes on with it, by the bead as well.
      expect((await repo.run(["run", "proj-1"])).code).toBe(0);
      expect(repo.notes).toBe("begun\nbegun\n");
      expect(await showRun(repo)).toMatchObject({ stopped: null });
      const again = linesOf(readFileSync(run.journal, "utf8")).findLast(({ type }) => type === "workflow.step.started");
      expect(again).toMatchObject({ running_ms: expect.any(Number) as number });
      expect((again as { running_ms: number }).running_ms).toBeGreaterThanOrEqual(run.running_ms);
      expect((await repo.json<{ items: object[] }>("inbox")).items).toEqual([]);
    });
  }

  test("D1 G16 a journal of the first versions, which does not tell the time until then, is read as before", async () => {
    using repo = await stopped("SIGINT");
    const { journal, id } = await showRun(repo);
    const text = readFileSync(journal, "utf8");
    const old = text.replace(/("type":"run\.stopped".*),"running_ms":\d+/, "$1");
    expect(old).not.toBe(text);
    writeFileSync(journal, old);
    expect((await showRun(repo)).stopped).toMatchObject({ reason: "Ctrl-C" });
    expect((await repo.run(["run", "resume", id])).code).toBe(0);
  });

  for (const signal of ["SIGKILL", "SIGHUP"] as const) {
    test(`D1 ${signal}: a scheduler takes it up`, async () => {
      using repo = await stopped(signal);
      expect(await showRun(repo)).toMatchObject({ status: "interrupted", stopped: null });
      expect((await repo.run(["daemon", "run", "--once"])).code).toBe(0);
      expect((await showRun(repo)).status).toBe("completed");
    });
  }

  test("D1 a daemon that was stopped takes its own runs up again", async () => {
    using repo = new RunRepo(slow);
    const { child, outcome } = startClew(repo, ["daemon", "run"]);
    await until(() => fileIn(repo, "notes").exists());
    child.kill("SIGINT");
    await outcome;
    expect((await showRun(repo)).stopped).toBeNull();
    writeFileSync(join(repo.root, "go"), "");
    expect((await repo.run(["daemon", "run", "--once"])).code).toBe(0);
    expect((await showRun(repo)).status).toBe("completed");
  });

  test("G12 what a step started does not go on with a run that a person stopped", async () => {
    using repo = await stopped("SIGINT");
    const { id } = await showRun(repo);
    const env = { CLEW_MARK: "2026-11-01-other:x:word" };
    for (const args of [
      ["run", "resume", id],
      ["run", "proj-1"],
    ]) {
      expect((await repo.refused(args, { env })).code).toBe("no_permission");
    }
    expect(repo.notes).toBe("begun\n");
  });
});
