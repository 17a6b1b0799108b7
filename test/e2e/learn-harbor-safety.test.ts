import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { setTimeout as pause } from "node:timers/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { ExportSummary } from "../../src/contract/api/learn.ts";
import { Folder } from "../support/folders.ts";
import { call, LearnRepo, phase } from "../support/learn-repo.ts";
import { outcomeOf } from "../support/repo.ts";

function commit(repo: LearnRepo, files: Record<string, string>): void {
  for (const [name, text] of Object.entries(files)) writeFileSync(join(repo.root, name), text);
  repo.git("add", "--", ...Object.keys(files));
  repo.git("commit", "-q", "-m", "work");
}

/** A command that failed on one commit and passed on the next; returns the session's id. */
async function mended(
  repo: LearnRepo,
  command: string,
  files: Record<string, string> = {},
  output = "the value is not good",
): Promise<string> {
  commit(repo, { "value.txt": "bad\n", ...files });
  const id = await repo.session("Mended", phase("Break"), call(command, output, true));
  commit(repo, { "value.txt": "good\n" });
  await repo.log(id, call("value.txt", "done", false, "Edit"), call(command, ""), phase("After"));
  return id;
}

const tasks = (repo: LearnRepo, ...args: string[]): Promise<ExportSummary> =>
  repo.json<ExportSummary>("session", "learn", "--export", "harbor", "-o", "tasks", ...args);

const check = "grep -q good value.txt";

test("S16 harbor --check never runs a command in the person's own checkout", async () => {
  using repo = new LearnRepo();
  mkdirSync(join(repo.root, "sub"));
  await mended(repo, `cd "${repo.root}/sub" && touch ran && ${check.replace("value", `"${repo.root}"/value`)}`, {
    "sub/x.txt": "x",
  });
  const outside = await mended(
    repo,
    `(cd '${repo.root}' && touch ran && grep -q good value.txt)`,
    {},
    "something else went wrong here",
  );
  const summary = await tasks(repo, "--check");
  expect(summary).toMatchObject({ written: 1, left_out: [{ session: outside, reason: "outside_folder" }] });
  expect([existsSync(join(repo.root, "ran")), existsSync(join(repo.root, "sub/ran"))]).toEqual([false, false]);
  const task = join(repo.root, "tasks", readdirSync(join(repo.root, "tasks"))[0]!);
  expect(readFileSync(join(task, "tests/command.sh"), "utf8")).toBe('touch ran && grep -q good ".."/value.txt\n');
  expect(readFileSync(join(task, "tests/test.sh"), "utf8")).toContain('cd "$workdir"/sub ');
});

test("S16 harbor: what is interrupted leaves no process, and no folder", async () => {
  using repo = new LearnRepo();
  using temporary = new Folder();
  const sign = join(temporary.path, "sign");
  await mended(repo, `echo $$ > '${sign}'; exec sleep 600`);
  const child = repo.start(["session", "learn", "--export", "harbor", "--check", "-o", "tasks"], {
    env: { TMPDIR: temporary.path, HOME: repo.root },
  });
  const outcome = outcomeOf(child);
  while (!existsSync(sign) || readFileSync(sign, "utf8") === "") await pause(20);
  const of = readFileSync(sign, "utf8");
  expect(readdirSync(temporary.path)).toContainEqual(expect.stringMatching(/^clew-task-/));
  child.kill("SIGINT");
  expect((await outcome).code).toBe(130);
  expect(readdirSync(temporary.path)).toEqual(["sign"]);
  expect(readdirSync(repo.root).filter((name) => name.startsWith("tasks"))).toEqual([]);
  // One that has ended and was not taken leave of yet is a Z.
  await expect.poll(() => spawnSync("ps", ["-o", "stat=", "-p", of.trim()]).stdout.toString()).toMatch(/^(?:Z|$)/);
});

test.each(["*.txt eol=crlf", "*.txt ident", "*.txt filter=shout", "*.txt export-subst"])(
  "S16 harbor: no task is made where attributes (%s) give archives other bytes than the commit",
  async (attributes) => {
    using repo = new LearnRepo();
    const id = await mended(repo, check, { ".gitattributes": `${attributes}\n` });
    repo.git("config", "filter.shout.smudge", `touch '${repo.root}/smudged'; cat`);
    expect(await tasks(repo)).toMatchObject({ written: 0, left_out: [{ session: id, reason: "archive_differs" }] });
    expect(existsSync(join(repo.root, "smudged"))).toBe(false);
  },
);

test("S16 harbor: line ends that only the user's settings ask for are no part of a task", async () => {
  using repo = new LearnRepo();
  await mended(repo, check, { ".gitattributes": "*.txt text=auto\n" });
  repo.git("config", "core.autocrlf", "true");
  expect(await tasks(repo, "--check")).toMatchObject({ written: 1, left_out: [] });
});

test("S16 harbor: the file that looks like a secret is named", async () => {
  using repo = new LearnRepo();
  const secret = `token = ghp_${"a1B2c3D4".repeat(4)}abcd\n`;
  mkdirSync(join(repo.root, "deep"));
  const id = await mended(repo, check, { "deep/config.ini": secret });
  const left = { session: id, reason: "secret_in_files", file: "deep/config.ini" };
  expect(await tasks(repo)).toMatchObject({ written: 0, left_out: [left] });
});
