import { existsSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { ExportSummary } from "../../src/contract/api/learn.ts";
import { call, LearnRepo, phase } from "../support/learn-repo.ts";

function commit(repo: LearnRepo, files: Record<string, string>): void {
  for (const [name, text] of Object.entries(files)) writeFileSync(join(repo.root, name), text);
  repo.git("add", "--", ...Object.keys(files));
  repo.git("commit", "-q", "-m", "work");
}

const check = "grep -q good value.txt";
const failed = call(check, "the value that was looked for is not there", true);

const tasks = (repo: LearnRepo, ...args: string[]): Promise<ExportSummary> =>
  repo.json<ExportSummary>("session", "learn", "--export", "harbor", "-o", "tasks", ...args);

test("S16 harbor: where there is no task, there is no folder", async () => {
  using repo = new LearnRepo();
  await repo.session("Never passed", failed);
  expect(await tasks(repo)).toMatchObject({ written: 0, files: [] });
  expect(readdirSync(repo.root).filter((name) => name.startsWith("tasks"))).toEqual([]);
  expect(await repo.clew("session", "learn", "--export", "harbor", "-o", "tasks")).toMatch(
    /^Nothing was written: there is no task\n/,
  );
});

test("S16 harbor: of failures that say the same, the first that makes a task stands for all", async () => {
  using repo = new LearnRepo();
  commit(repo, { "value.txt": "bad\n" });
  // The first passed without any later commit, and the second does not check itself.
  await repo.session("No fix", phase("A"), failed, call("value.txt", "done", false, "Edit"), call(check, ""));
  const [odd, real] = [await repo.session("Odd", phase("A")), await repo.session("Real", phase("A"))];
  await repo.log(real, failed);
  commit(repo, { "value.txt": "good\n" });
  await repo.log(odd, phase("B"), failed);
  commit(repo, { "value.txt": "very good\n" });
  for (const id of [odd, real]) await repo.log(id, call("value.txt", "x", false, "Edit"), call(check, ""), phase("C"));
  const summary = await tasks(repo, "--check");
  expect(summary).toMatchObject({ written: 1, counts: { puzzles: 3, left_out: { no_fix: 1, check_failed: 1 } } });
  expect(readdirSync(join(repo.root, "tasks"))).toEqual([expect.stringContaining(real)]);
  const again = await repo.json<ExportSummary>("session", "learn", "--export", "harbor", "-o", "others");
  expect(again).toMatchObject({ written: 1, counts: { puzzles: 2, left_out: { no_fix: 1, duplicate: 1 } } });
});

test.each(["before", "with"])("S16 harbor: no task holds a secret that came %s the fix", async (when) => {
  using repo = new LearnRepo();
  const secret = { "config.ini": `token = ghp_${"a1B2c3D4".repeat(4)}abcd\n` };
  commit(repo, { "value.txt": "bad\n", ...(when === "before" && secret) });
  const id = await repo.session("Secret", phase("A"), failed);
  commit(repo, { "value.txt": "good\n", ...(when === "with" && secret) });
  await repo.log(id, call("value.txt", "done", false, "Edit"), call(check, ""), phase("B"));
  expect(await tasks(repo)).toMatchObject({ written: 0, left_out: [{ session: id, reason: "secret_in_files" }] });
  expect(existsSync(join(repo.root, "tasks"))).toBe(false);
});

test("S16 harbor: the last phase of a session has a commit, too", async () => {
  using repo = new LearnRepo();
  commit(repo, { "value.txt": "bad\n" });
  const mended = await repo.session("Mended", phase("Break"), failed, call("value.txt", "done", false, "Edit"));
  const edited = await repo.session("Edited", phase("Break"), call(`${check} -i`, "another one, with a flag", true));
  commit(repo, { "value.txt": "good\n" });
  await repo.log(mended, phase("Prove"), call(check, ""));
  // Whether that commit has what was edited after it, nothing tells.
  await repo.log(edited, phase("Prove"), call("value.txt", "done", false, "Edit"), call(`${check} -i`, ""));
  const summary = await tasks(repo, "--check");
  expect(summary).toMatchObject({ written: 1, left_out: [{ session: edited, reason: "no_fix" }] });
});
