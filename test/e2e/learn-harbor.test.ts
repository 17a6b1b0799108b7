import { spawnSync } from "node:child_process";
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { ExportSummary } from "../../src/contract/api/learn.ts";
import { Folder } from "../support/folders.ts";
import { call, LearnRepo, phase } from "../support/learn-repo.ts";

const command = `bash check.sh "a b" 'it''s' && test ! -e "gone file.txt"`;

function commit(repo: LearnRepo, files: Record<string, string | null>): void {
  for (const [name, text] of Object.entries(files)) {
    if (text === null) repo.git("rm", "-q", name);
    else writeFileSync(join(repo.root, name), text);
  }
  repo.git("add", "-A", "--", ...Object.entries(files).flatMap(([name, text]) => (text === null ? [] : [name])));
  repo.git("commit", "-q", "-m", "work");
}

/** A command fails on one commit and passes on a later one. */
async function mended(repo: LearnRepo, title: string): Promise<string> {
  commit(repo, {
    "check.sh": 'test "$1" = "a b" && grep -q good value.txt\n',
    "value.txt": "bad\n",
    "gone file.txt": "x",
  });
  const id = await repo.session(title, phase("Break"), call(command, "grep found nothing good", true));
  commit(repo, { "value.txt": "good\n", "gone file.txt": null });
  await repo.log(id, call("value.txt", "done", false, "Edit"), call(command, ""), phase("After"));
  return id;
}

/** The reward that a task gives on a copy of its files. */
function rewardOf(task: string, solved: boolean): string {
  using place = new Folder();
  const [workdir, logs] = [join(place.path, "app"), join(place.path, "logs")];
  mkdirSync(workdir);
  const env = { PATH: process.env["PATH"] ?? "", CLEW_WORKDIR: workdir, CLEW_LOGS: logs };
  const run = (...words: [string, ...string[]]): void =>
    expect(spawnSync(words[0], words.slice(1), { env, cwd: place.path }).status).toBe(0);
  run("tar", "-xf", join(task, "environment/repo.tar"), "-C", workdir);
  if (solved) run("bash", join(task, "solution/solve.sh"));
  run("bash", join(task, "tests/test.sh"));
  return readFileSync(join(logs, "reward.txt"), "utf8").trim();
}

test("S16 harbor: a task's solution earns full reward, and nothing earns 0", async () => {
  using repo = new LearnRepo();
  const id = await mended(repo, 'Say "good" \\ # [task]\nname = "x"');
  const summary = await repo.json<ExportSummary>("session", "learn", "--export", "harbor", "-o", "tasks");
  expect(summary).toMatchObject({ format: "harbor", written: 1, left_out: [] });
  const [name, ...others] = readdirSync(join(repo.root, "tasks"));
  expect(others).toEqual([]);
  expect(name).toMatch(new RegExp(`^${id}-line-\\d+$`));
  const task = join(repo.root, "tasks", name!);
  const files = readdirSync(task, { recursive: true, encoding: "utf8" }).sort();
  expect(files).toEqual([
    "environment",
    "environment/Dockerfile",
    "environment/repo.tar",
    "instruction.md",
    "solution",
    "solution/fix.patch",
    "solution/fix.tar",
    "solution/solve.sh",
    "task.toml",
    "tests",
    "tests/command.sh",
    "tests/test.sh",
  ]);
  expect(rewardOf(task, false)).toBe("0");
  expect(rewardOf(task, true)).toBe("1");
  const toml = readFileSync(join(task, "task.toml"), "utf8");
  expect(toml).toMatch(/^schema_version = "1\.4"\n\n\[task\]\nname = "clew\//);
  // Each line is a table or one key: nothing that was logged begins one.
  const keys = [...toml.matchAll(/^(?:\[(\w+)\]|(\w+) = .+)$/gm)].map((found) => found[1] ?? found[2]);
  expect(toml.split("\n").filter((line) => line !== "")).toHaveLength(keys.length);
  expect(keys.filter((key) => ["task", "metadata", "agent", "verifier", "environment"].includes(key!))).toHaveLength(6);
  expect(toml).toContain(`commit = "${repo.git("rev-parse", "HEAD~1").trim()}"`);
  expect(toml).toContain("checked = false");
  expect(readFileSync(join(task, "instruction.md"), "utf8")).toContain(command);
  expect(readFileSync(join(task, "environment/Dockerfile"), "utf8")).toBe(
    "FROM debian:bookworm\nWORKDIR /app\nADD repo.tar /app/\n",
  );
});

test("S16 harbor: what cannot become a task is named with the reason", async () => {
  using repo = new LearnRepo();
  await repo.session(
    "No later commit",
    phase("A"),
    call("make check", "the widget is upside down", true),
    call("w.c", "x", false, "Edit"),
    call("make check", "ok"),
  );
  await repo.session("Never passed", call("make docs", "chapter nine has no title", true));
  repo.place(
    "2026-11-01-gone",
    { title: "Gone" },
    [
      "",
      "## A",
      `<!-- clew {"id":"phase-1","at":"2026-11-01T10:00:00Z","commit":"${"1".repeat(40)}"} -->`,
      "",
      "**Tool calls:**",
      "- `Bash make all` → ✗ the linker is sad about symbols",
      "- `Edit x.c` → done",
      "- `Bash make all` → ok",
      "",
      "## B",
      `<!-- clew {"id":"phase-2","at":"2026-11-01T10:00:00Z","commit":"${"2".repeat(40)}"} -->`,
      "",
    ].join("\n"),
  );
  const summary = await repo.json<ExportSummary>("session", "learn", "--export", "harbor", "-o", "tasks");
  expect(summary.written).toBe(0);
  expect(Object.fromEntries(summary.left_out.map(({ session, reason }) => [session.slice(11), reason]))).toEqual({
    "no-later-commit": "no_fix",
    "never-passed": "no_command",
    gone: "not_checked_out",
  });
  expect((await repo.run(["session", "learn", "--export", "harbor"])).code).toBe(2);
});

test("S16 harbor --check runs the tasks and leaves out those that do not check themselves", async () => {
  using repo = new LearnRepo();
  const id = await mended(repo, "Real");
  // It failed because of what was not committed: without a solution it passes, too.
  const other = await repo.session(
    "Not real",
    phase("A"),
    call("test -e check.sh", "the file was away for a while", true),
  );
  commit(repo, { "value.txt": "better good\n" });
  await repo.log(other, call("x", "done", false, "Edit"), call("test -e check.sh", ""), phase("B"));
  const summary = await repo.json<ExportSummary>("session", "learn", "--export", "harbor", "--check", "-o", "tasks");
  expect(summary).toMatchObject({ written: 1, left_out: [{ session: other, reason: "check_failed" }] });
  const [name, ...others] = readdirSync(join(repo.root, "tasks"));
  expect(others).toEqual([]);
  expect(name!.startsWith(id)).toBe(true);
  expect(readFileSync(join(repo.root, "tasks", name!, "task.toml"), "utf8")).toContain("checked = true");
});

test("S16 harbor: a fix that turns a file into a folder, or a folder into a file, can be unpacked", async () => {
  using repo = new LearnRepo();
  const check = "test -f part/one.txt && test -f whole";
  mkdirSync(join(repo.root, "whole"));
  commit(repo, { part: "x", "whole/two.txt": "y" });
  const id = await repo.session("Split", phase("Break"), call(check, "part is a file", true));
  repo.git("rm", "-q", "part", "whole/two.txt");
  mkdirSync(join(repo.root, "part"));
  commit(repo, { "part/one.txt": "x", whole: "y" });
  await repo.log(id, call("part", "done", false, "Edit"), call(check, ""), phase("After"));
  const summary = await repo.json<ExportSummary>("session", "learn", "--export", "harbor", "--check", "-o", "tasks");
  expect(summary).toMatchObject({ written: 1, left_out: [] });
});
