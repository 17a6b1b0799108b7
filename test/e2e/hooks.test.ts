import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { hookEvents } from "../../src/contract/hook.ts";
import { kebabOf } from "../../src/hook/events.ts";
import { HookRepo, linesOf } from "../support/hook-repo.ts";

const engines = ["claude", "codex", "gemini", "qwen"];

test.each(engines)("H2 what %s tells its hooks is kept, and answered with nothing", async (engine) => {
  using repo = new HookRepo();
  await repo.clew("init");
  const payloads = repo.payloads(engine);
  for (const payload of payloads) await repo.hooks([payload], [payload.hook_event_name, `--engine=${engine}`]);
  for (const session of new Set(payloads.map((payload) => payload.session_id))) {
    const own = payloads.filter((payload) => payload.session_id === session);
    const kept = repo.spool(engine, session);
    expect(kept.map(({ hook }) => hook)).toEqual(own);
    expect(kept.every((line) => line.engine === engine && line.folder === repo.root && line.v === 1)).toBe(true);
  }
});

test("H2 every event is known by its name in kebab-case; Gemini's by its own; what is not known is kept", async () => {
  using repo = new HookRepo();
  await repo.clew("init");
  const words = [...hookEvents.map(kebabOf), "BeforeTool", "AfterTool", "BeforeAgent", "AfterAgent", "teammate-idle"];
  await Promise.all(
    words.map((word) => repo.hook({ session_id: word, hook_event_name: word }, [word, "--engine", "claude"])),
  );
  const events = words.map((word) => repo.spool("claude", word)[0]!.event);
  expect(events).toEqual([...hookEvents, "PreToolUse", "PostToolUse", "UserPromptSubmit", "Stop", "teammate-idle"]);
});

test.each(engines)("H2 %s is known by what only it sends", async (engine) => {
  using repo = new HookRepo();
  await repo.clew("init");
  const payload = repo.payloads(engine).find(({ tool_name }) => tool_name !== undefined)!;
  await repo.hooks([payload]);
  expect(repo.spool(engine, payload.session_id)).toMatchObject([{ engine, hook: payload }]);
});

test("D7 a secret in a payload reaches no file", async () => {
  using repo = new HookRepo();
  await repo.clew("init");
  const key = `sk-ant-api03-${"k".repeat(40)}`;
  const payload = {
    session_id: "s-1",
    hook_event_name: "PreToolUse",
    tool_input: { command: `curl -H "x: ${key}" $X` },
  };
  await repo.hook(payload, [], { MY_TOKEN: "q7Zp-93xK-hush-T4" });
  await repo.hook({ ...payload, prompt: "the word is q7Zp-93xK-hush-T4" }, [], { MY_TOKEN: "q7Zp-93xK-hush-T4" });
  const text = readFileSync(join(repo.root, ".git/clew/hooks/spool/claude.s-1.jsonl"), "utf8");
  expect(text).toContain("[redacted");
  expect(text).not.toMatch(/kkkkkkkk|q7Zp/);
});

test("H2 an agent that Clew started leaves evidence, with its run, step and attempt, and no spool", async () => {
  using repo = new HookRepo();
  await repo.clew("init");
  const payload = { session_id: "s-1", hook_event_name: "PostToolUse", tool_name: "Bash", tool_use_id: "toolu_1" };
  const env = {
    CLEW_MARK: "2026-11-17-proj-a:implement:word",
    CLEW_RUN: "2026-11-17-proj-a",
    CLEW_STEP: "implement#2",
  };
  expect(await repo.hook(payload, [], env)).toEqual({ code: 0, stdout: "", stderr: "" });
  expect(linesOf(join(repo.root, ".git/clew/evidence/2026-11-17-proj-a.jsonl"))).toMatchObject([
    { event: "PostToolUse", owner: "2026-11-17-proj-a", step: "implement#2", tool_use_id: "toolu_1", via: "command" },
  ]);
  await repo.hook(payload, [], { CLEW_MARK: "2026-11-17-a-talk:@talk:word" });
  expect(linesOf(join(repo.root, ".git/clew/evidence/2026-11-17-a-talk.jsonl"))).toMatchObject([{ step: null }]);
  expect(() => repo.spool("claude", "s-1")).toThrow("ENOENT");
});

test("H2 whatever is wrong, the hook exits 0 and answers nothing; the doctor tells of it, and forgets it", async () => {
  using repo = new HookRepo();
  await repo.clew("init");
  const wrong = ["", "{", "[1]", '{"hook_event_name": "Stop"}', '{"session_id": "../../up"}', "null", "\0\xff"];
  for (const input of wrong) expect(await repo.hook(input, ["stop"])).toMatchObject({ code: 0, stdout: "" });
  const told = await repo.clew("doctor").catch((error: Error) => error.message);
  expect(told).toContain(`${wrong.length} calls of engines were not kept; the last, stop at`);
  expect(await repo.clew("doctor", "--repair")).toContain(`forgot ${wrong.length} faults of hooks`);
  expect(await repo.clew("doctor")).toContain("no call of an engine failed");
});

test("H2 where Clew was never set up, and outside a repository, nothing is written", async () => {
  using repo = new HookRepo();
  await repo.hooks(repo.payloads("codex"));
  expect(repo.git("status", "--porcelain")).toBe("");
  expect(() => readFileSync(join(repo.root, ".git/clew"))).toThrow("ENOENT");
  expect(await repo.run(["hook", "stop"], { input: "{}", cwd: repo.userHome })).toMatchObject({ code: 0, stdout: "" });
});

test("H2 a spool that a full disk cut off loses that line alone", async () => {
  using repo = new HookRepo();
  await repo.clew("init");
  const payload = { session_id: "s-1", hook_event_name: "Stop" };
  await repo.hook(payload);
  writeFileSync(join(repo.root, ".git/clew/hooks/spool/claude.s-1.jsonl"), '\n{"v":1,"at":"20', { flag: "a" });
  await repo.hook(payload);
  const text = readFileSync(join(repo.root, ".git/clew/hooks/spool/claude.s-1.jsonl"), "utf8");
  expect(text.split("\n").filter((line) => line.endsWith("}"))).toHaveLength(2);
});
