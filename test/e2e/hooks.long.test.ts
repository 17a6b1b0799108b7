import { execFileSync, spawn } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { SessionList } from "../../src/contract/api/session-list.ts";
import { HookRepo } from "../support/hook-repo.ts";
import { outcomeOf } from "../support/repo.ts";

const list = async (repo: HookRepo): Promise<SessionList["sessions"]> =>
  (await repo.json<SessionList>("session", "list")).sessions;

test("H2 many hooks of one engine session at once lose no line and mix none", async () => {
  using repo = new HookRepo();
  await repo.clew("init");
  const calls = Array.from({ length: 40 }, (_, at) => ({
    session_id: "s-1",
    hook_event_name: "PostToolUse",
    tool_use_id: `t-${at}`,
    tool_name: "Bash",
    tool_response: { stdout: "x".repeat(at * 4_000), stderr: "" },
  }));
  await Promise.all(calls.map((call) => repo.hook(call)));
  const kept = repo.spool("claude", "s-1").map(({ hook }) => hook);
  expect(
    kept.toSorted((a, b) => Number(String(a["tool_use_id"]).slice(2)) - Number(String(b["tool_use_id"]).slice(2))),
  ).toEqual(calls);
});

test("H2 a payload that is too long, too deep or full of odd texts stops nothing", async () => {
  using repo = new HookRepo();
  await repo.clew("init");
  const about = '"session_id": "s-1", "hook_event_name": "Stop"';
  const odd = [
    `{${about}, "deep": ${'{"a":'.repeat(20_000)}1${"}".repeat(20_000)}}`,
    `{${about}, "__proto__": {"x": 1}, "long": "${"y".repeat(3_000_000)}"}`,
    `{${about}, "lone": "\\ud800", "nul": "\\u0000"}`,
    `{${about}, "many": [${"1,".repeat(50_000)}1]}`,
  ];
  for (const input of odd) expect(await repo.hook(input, ["stop"])).toEqual({ code: 0, stdout: "", stderr: "" });
  const kept = repo.spool("claude", "s-1");
  expect(kept).toHaveLength(odd.length);
  expect(JSON.stringify(kept[1]!.hook["long"])).toContain("characters left out");
  expect(JSON.stringify(kept[1]).length).toBeLessThan(300_000);
  const tooLong = await repo.hook(`{${about}, "long": "${"z".repeat(17 * 1024 * 1024)}"}`, ["stop"]);
  expect(tooLong).toMatchObject({ code: 0, stdout: "", stderr: "clew hook: more than 16 MB came on stdin\n" });
});

test("H2 a pipe that nobody closes does not hold the agent for ever; a whole object is enough", async () => {
  using repo = new HookRepo();
  await repo.clew("init");
  const pipe = join(repo.userHome, "pipe");
  execFileSync("mkfifo", [pipe]);
  const program = join(import.meta.dirname, "../../dist/clew.cjs");
  const hook = `exec 3<>"$1"; [ -z "$4" ] || printf %s "$4" >&3; exec "$2" "$3" hook stop <"$1"`;
  const call = (input: string): ReturnType<typeof outcomeOf> => {
    const child = spawn("sh", ["-c", hook, "sh", pipe, process.execPath, program, input], {
      cwd: repo.root,
      env: { ...process.env, ...repo.env },
    });
    return outcomeOf(child);
  };
  expect(await call('{"session_id": "s-1"}')).toMatchObject({ code: 0, stderr: "" });
  expect(repo.spool("claude", "s-1")).toHaveLength(1);
  expect(await call("")).toMatchObject({ code: 0, stdout: "", stderr: "clew hook: stdin did not end within 10 s\n" });
});

test("H2 a folder that is a link, a pipe in the place of a spool, and no rights: nothing is written elsewhere", async () => {
  using repo = new HookRepo();
  await repo.clew("init");
  const payload = { session_id: "s-1", hook_event_name: "Stop" };
  const hooks = join(repo.root, ".git/clew/hooks");
  mkdirSync(hooks, { recursive: true });
  symlinkSync(repo.userHome, join(hooks, "spool"));
  expect(await repo.hook(payload)).toMatchObject({ code: 0, stderr: expect.stringContaining("is a link") as string });
  expect(existsSync(join(repo.userHome, "claude.s-1.jsonl"))).toBe(false);
  rmSync(join(hooks, "spool"));
  mkdirSync(join(hooks, "spool"));
  execFileSync("mkfifo", [join(hooks, "spool/claude.s-1.jsonl")]);
  expect(await repo.hook(payload)).toMatchObject({ code: 0, stderr: expect.stringContaining("not a file") as string });
  expect((await repo.run(["doctor"])).stdout).toContain("2 calls of engines were not kept");
});

test("W12 whatever instant the taking in is killed at, the session has everything once", async () => {
  using repo = new HookRepo();
  await repo.clew("init");
  const prompts = ["First", "Second", "Third", "Fourth", "Fifth", "Sixth"];
  for (const [at, prompt] of prompts.entries()) {
    await repo.hooks([{ session_id: "s-1", hook_event_name: "UserPromptSubmit", prompt }]);
    const child = repo.start(["session", "list"]);
    child.stdin!.end();
    const outcome = outcomeOf(child).catch(() => undefined);
    setTimeout(() => child.kill("SIGKILL"), 60 + at * 40);
    await outcome;
  }
  const [session, ...others] = await list(repo);
  expect(others).toEqual([]);
  const { phases } = await repo.show(session!.session_id);
  expect(phases.map(({ title }) => title)).toEqual(prompts);
});

test("W12 a mark that was lost comes back with the next hook, and a torn line is passed over", async () => {
  using repo = new HookRepo();
  await repo.clew("init");
  await repo.hooks([{ session_id: "s-1", hook_event_name: "UserPromptSubmit", prompt: "First" }]);
  const spool = join(repo.root, ".git/clew/hooks/spool/claude.s-1.jsonl");
  writeFileSync(spool, '\n{"v":1,"at":"2026', { flag: "a" });
  rmSync(join(repo.root, ".git/clew/hooks/open"), { recursive: true });
  expect(await list(repo)).toEqual([]);
  await repo.hooks([{ session_id: "s-1", hook_event_name: "UserPromptSubmit", prompt: "Second" }]);
  const [session] = await list(repo);
  const { phases } = await repo.show(session!.session_id);
  expect(phases.map(({ title }) => title)).toEqual(["First", "Second"]);
  await repo.clew("session", "delete", session!.session_id, "--yes");
  expect(existsSync(spool)).toBe(false);
  expect(readFileSync(join(repo.root, ".git/clew/deleted-engine-sessions"), "utf8")).toContain("claude s-1");
});
