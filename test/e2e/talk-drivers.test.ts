import { existsSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { processesWith } from "../support/processes.ts";
import { until } from "../support/runs.ts";
import { WorkRepo } from "../support/work-repo.ts";

test("W10 one process leads a talk: another that would go on with the same engine session is refused", async () => {
  using repo = await WorkRepo.with({ say: "Hello" });
  const first = await repo.run(["ai", "scripted", "Hello", "--one-shot", "--json"]);
  const { session_id, engine_session } = JSON.parse(first.stdout.trim().split("\n").at(-1)!) as Record<string, string>;
  repo.plays({ say: "I sleep", run: "touch asleep; sleep 60" });
  const child = repo.start(["ai", "scripted", "Sleep", "--resume", session_id!, "--one-shot", "--json"]);
  const ended = new Promise((done) => child.on("close", done));
  await until(() => existsSync(join(repo.root, "asleep")));
  for (const args of [
    ["ai", "scripted", "Me too", "--resume", session_id!, "--one-shot"],
    ["ai", "scripted", "Me too", "--resume", engine_session!, "--one-shot"],
    ["session", "resume", session_id!, "-m", "Me too"],
  ]) {
    const { code, stderr } = await repo.run(args);
    expect([args[1], code, stderr]).toEqual([
      args[1],
      2,
      expect.stringContaining(`another process drives the talk ${session_id}`),
    ]);
  }
  child.kill("SIGINT");
  await ended;
  repo.plays({ say: "Awake" });
  expect((await repo.run(["ai", "scripted", "And now?", "--resume", session_id!, "--one-shot"])).code).toBe(0);
});

test.each([
  ["talk", ["ai", "scripted", "Sleep", "--one-shot"]],
  ["work session", ["work"]],
])("G10 W10 what an agent of a %s put into a session of its own ends when clew is killed", async (_, args) => {
  using repo = await WorkRepo.with({ run: "setsid sh -c 'touch asleep; sleep 60; touch woken' & sleep 60" });
  const bead = args[0] === "work" ? [await repo.bead("Sleep")] : [];
  const child = repo.start([...args, ...bead], { env: { CLEW_TEST_TREE: repo.root } });
  const ended = new Promise((done) => child.on("close", done));
  await until(() => existsSync(join(repo.root, "asleep")));
  child.kill("SIGKILL");
  await ended;
  await until(() => processesWith(`CLEW_TEST_TREE=${repo.root}`).length === 0);
  expect(existsSync(join(repo.root, "woken"))).toBe(false);
});
