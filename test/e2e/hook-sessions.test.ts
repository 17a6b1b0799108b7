import { existsSync, readdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { SessionList } from "../../src/contract/api/session-list.ts";
import { HookRepo, type Payload } from "../support/hook-repo.ts";
import { ClaudeLines } from "../support/transcripts.ts";

const list = async (repo: HookRepo): Promise<SessionList["sessions"]> =>
  (await repo.json<SessionList>("session", "list")).sessions;

function payload(session_id: string, hook_event_name: string, fields: object = {}): Payload {
  return { session_id, hook_event_name, ...fields };
}

const firstOf = (payloads: Payload[]): Payload[] =>
  payloads.filter((each) => each.session_id === payloads[0]!.session_id);

test("W12 an agent that the user starts becomes a session: its words, calls, failures and subagents", async () => {
  using repo = new HookRepo();
  await repo.clew("init");
  const payloads = firstOf(repo.payloads("claude"));
  await repo.hooks(payloads.slice(0, -1), []);
  const [session] = await list(repo);
  expect(session).toMatchObject({ title: "please do the scripted thing", kind: "chat", status: "active" });
  const { frontmatter, phases } = await repo.show(session!.session_id);
  expect(frontmatter.engine_sessions).toMatchObject([
    { engine: "claude", session: payloads[0]!.session_id, folder: repo.root, source: "hooks" },
  ]);
  expect(phases.map(({ title, agent }) => [title, agent])).toEqual([["please do the scripted thing", "claude"]]);
  expect(phases[0]!.entries).toMatchObject([
    { kind: "user", text: "please do the scripted thing" },
    { kind: "tool", name: "Write", failed: false },
    { kind: "tool", name: "Bash", args: "echo original-command", result: "rewritten-command", failed: false },
    { kind: "tool", name: "Bash", args: "echo oops >&2; exit 3", failed: true },
    { kind: "tool", name: "Agent", failed: false },
    { kind: "text", text: "Finished." },
    { kind: "subagent", agent: "general-purpose", mode: "inline", summary: "sub finished" },
  ]);
  await repo.hooks(payloads.slice(-1));
  // The end of the agent makes it: nobody has looked since.
  const file = readFileSync(join(repo.root, ".clew/sessions", session!.session_id, "session.md"), "utf8");
  expect(file).toContain("status: completed");
  expect(await list(repo)).toMatchObject([{ status: "completed" }]);
});

test.each(["codex", "gemini", "qwen"])("W12 an agent of %s becomes a session", async (engine) => {
  using repo = new HookRepo();
  await repo.clew("init");
  await repo.hooks(firstOf(repo.payloads(engine)));
  const [session] = await list(repo);
  expect(session).toMatchObject({ title: "please do the scripted thing", kind: "chat", participants: [engine] });
  const { phases } = await repo.show(session!.session_id);
  const entries = phases.flatMap((phase) => phase.entries);
  expect(entries[0]).toMatchObject({ kind: "user", text: "please do the scripted thing" });
  expect(entries.filter(({ kind }) => kind === "tool").length).toBeGreaterThan(1);
  expect(entries.findLast(({ kind }) => kind === "text")).toMatchObject({ text: expect.stringContaining("Finished") });
  if (engine === "gemini") expect(session!.tokens_used).toBe(120);
});

test("W12 a compaction is told where it happened", async () => {
  using repo = new HookRepo();
  await repo.clew("init");
  await repo.hooks([
    payload("s-1", "UserPromptSubmit", { prompt: "Go on" }),
    payload("s-1", "PreCompact", { trigger: "manual" }),
    payload("s-1", "SessionStart", { source: "compact" }),
    payload("s-1", "PostCompact", { trigger: "manual", compact_summary: "what was" }),
    payload("s-1", "Stop", { last_assistant_message: "I went on." }),
  ]);
  const [session] = await list(repo);
  expect((await repo.show(session!.session_id)).phases[0]!.entries).toMatchObject([
    { kind: "user" },
    { kind: "remark", about: "compacted", text: "The conversation was compacted here (manual)." },
    { kind: "text", text: "I went on." },
  ]);
});

test("W12 a session goes on with its hooks, and is never imported again; nothing is written twice", async () => {
  using repo = new HookRepo();
  await repo.clew("init");
  await repo.hooks([
    payload("s-1", "UserPromptSubmit", { prompt: "First" }),
    payload("s-1", "PreToolUse", call("t-1")),
  ]);
  expect(await list(repo)).toHaveLength(1);
  await repo.hooks([
    payload("s-1", "PostToolUse", { ...call("t-1"), tool_response: { stdout: "one", stderr: "" } }),
    payload("s-1", "UserPromptSubmit", { prompt: "Second" }),
    payload("s-1", "SessionEnd"),
  ]);
  const [session, ...others] = await list(repo);
  expect(others).toEqual([]);
  const { phases } = await repo.show(session!.session_id);
  expect(phases.map(({ title }) => title)).toEqual(["First", "Second"]);
  expect(phases[0]!.entries).toMatchObject([{ kind: "user" }, { kind: "tool", result: "one" }]);
  // The engine's own transcript comes to light.
  const lines = new ClaudeLines(repo.root, "s-1");
  repo.leave(repo.claudePath("s-1.jsonl"), [lines.user("First"), lines.user("Second")]);
  expect(await repo.import()).toMatchObject({ imported: 0, continued: 0 });
  expect(await list(repo)).toHaveLength(1);
  // Started again, the agent goes on in the same session.
  await repo.hooks([
    payload("s-1", "SessionStart", { source: "resume" }),
    payload("s-1", "UserPromptSubmit", { prompt: "Third" }),
  ]);
  expect(await list(repo)).toMatchObject([{ session_id: session!.session_id, status: "active", phases: 3 }]);
});

test("W12 where the engine leaves a transcript, the session has all that it says", async () => {
  using repo = new HookRepo();
  await repo.clew("init");
  const lines = new ClaudeLines(repo.root, "s-1");
  const file = repo.leave(repo.claudePath("s-1.jsonl"), [
    lines.user("Fix the login"),
    lines.agent("m-1", { type: "text", text: "I look." }),
  ]);
  await repo.hooks([payload("s-1", "UserPromptSubmit", { prompt: "Fix the login", transcript_path: file })]);
  const [session] = await list(repo);
  expect(session).toMatchObject({ title: "Fix the login", kind: "chat", status: "active" });
  repo.append(file, `${lines.agent("m-2", { type: "text", text: "Done." })}\n`);
  await repo.hooks([payload("s-1", "Stop", { last_assistant_message: "Done.", transcript_path: file })]);
  await repo.hooks([payload("s-1", "SessionEnd", { transcript_path: file })]);
  const { frontmatter, phases } = await repo.show(session!.session_id);
  expect(frontmatter).toMatchObject({ status: "completed", kind: "chat" });
  expect(phases[0]!.entries.filter(({ kind }) => kind !== "tokens")).toMatchObject([
    { kind: "user", text: "Fix the login" },
    { kind: "text", text: "I look." },
    { kind: "text", text: "Done." },
  ]);
  expect(await repo.import()).toMatchObject({ imported: 0, continued: 0 });
  expect(await list(repo)).toHaveLength(1);
});

test("W12 S5 a subagent's own transcript is a session of its own, once, however often the agent is looked at", async () => {
  using repo = new HookRepo();
  await repo.clew("init");
  const lines = new ClaudeLines(repo.root, "s-1");
  const agentCall = "toolu_61a66d02a7a0459d9370c5f5";
  const [meta, ...agentLines] = repo.fixture("claude.subagent");
  const file = repo.leave(repo.claudePath("s-1.jsonl"), [
    lines.user("Delegate it"),
    lines.call("m-1", agentCall, "Agent", { description: "sub job", prompt: "SUBPROMPT do it" }),
  ]);
  const told = { transcript_path: file };
  await repo.hooks([payload("s-1", "UserPromptSubmit", { prompt: "Delegate it", ...told })]);
  expect(await list(repo)).toHaveLength(1);
  repo.leave(repo.claudePath("s-1/subagents/agent-ae393ecc5b367850c.jsonl"), agentLines);
  repo.leave(repo.claudePath("s-1/subagents/agent-ae393ecc5b367850c.meta.json"), [meta!]);
  repo.append(file, `${lines.result(agentCall, "sub finished")}\n`);
  await repo.hooks([payload("s-1", "SubagentStop", told)]);
  expect(await list(repo)).toHaveLength(2);
  repo.append(file, `${lines.agent("m-2", { type: "text", text: "It is done." })}\n`);
  await repo.hooks([payload("s-1", "Stop", told), payload("s-1", "SessionEnd", told)]);
  const sessions = (await list(repo)).toSorted((one, other) => one.title.localeCompare(other.title));
  const about = { kind: "chat", status: "completed" };
  expect(sessions).toMatchObject([
    { title: "Delegate it", ...about },
    { title: "sub job", ...about },
  ]);
  expect(await repo.import()).toMatchObject({ imported: 0, continued: 0 });
});

test("W12 a session that was imported goes on with hooks", async () => {
  using repo = new HookRepo();
  await repo.clew("init");
  const lines = new ClaudeLines(repo.root, "s-1");
  const file = repo.leave(repo.claudePath("s-1.jsonl"), [lines.user("Fix the login")]);
  const { sessions } = await repo.import();
  repo.append(file, `${lines.user("And the logout")}\n`);
  await repo.hooks([payload("s-1", "UserPromptSubmit", { prompt: "And the logout", transcript_path: file })]);
  expect(await list(repo)).toMatchObject([{ session_id: sessions[0], kind: "import", status: "active", phases: 2 }]);
});

test("W12 a deleted session does not come back", async () => {
  using repo = new HookRepo();
  await repo.clew("init");
  await repo.hooks([payload("s-1", "UserPromptSubmit", { prompt: "First" })]);
  const [session] = await list(repo);
  await repo.clew("session", "delete", session!.session_id, "--yes");
  await repo.hooks([payload("s-1", "UserPromptSubmit", { prompt: "Second" }), payload("s-1", "SessionEnd")]);
  expect(await list(repo)).toEqual([]);
});

test("W12 an agent whose transcript never comes is a session all the same, whoever looked before", async () => {
  using repo = new HookRepo();
  await repo.clew("init");
  const words = { transcript_path: join(repo.root, "never.jsonl"), cwd: repo.root, prompt: "Mend the door" };
  await repo.hooks([payload("s-1", "UserPromptSubmit", words)], ["user-prompt-submit", "--engine", "claude"]);
  // Its engine is about to write it.
  expect(await repo.json("session", "list")).toMatchObject({ sessions: [] });
  const spool = join(repo.root, ".git/clew/hooks/spool", "claude.s-1.jsonl");
  const ago = new Date(Date.now() - 60_000);
  writeFileSync(spool, readFileSync(spool, "utf8").replace(/"at":"[^"]*"/, `"at":"${ago.toISOString()}"`));
  utimesSync(spool, ago, ago);
  expect(await repo.json("session", "list")).toMatchObject({ sessions: [{ kind: "chat", status: "active" }] });
});

test("S8 an agent that is silent for long is paused; a session is made once though its folder was lost", async () => {
  using repo = new HookRepo();
  await repo.clew("init");
  await repo.hooks([payload("s-1", "UserPromptSubmit", { prompt: "First" })]);
  const [session] = await list(repo);
  const spool = join(repo.root, ".git/clew/hooks/spool/claude.s-1.jsonl");
  const longAgo = new Date(Date.now() - 30 * 86_400_000);
  utimesSync(spool, longAgo, longAgo);
  expect(await list(repo)).toMatchObject([{ status: "paused" }]);
  expect(existsSync(join(repo.root, ".git/clew/hooks/open/claude.s-1"))).toBe(false);
  await repo.hooks([payload("s-1", "Stop", { last_assistant_message: "Back." })]);
  expect(await list(repo)).toMatchObject([{ session_id: session!.session_id, status: "active" }]);
  rmSync(join(repo.root, ".git/clew/state"), { recursive: true });
  rmSync(join(repo.root, ".git/clew/index"), { recursive: true });
  expect(await list(repo)).toHaveLength(1);
});

function call(id: string): object {
  return { tool_name: "Bash", tool_input: { command: "echo one" }, tool_use_id: id };
}

test("W12 several commands that look at once make one session of an agent", async () => {
  using repo = new HookRepo();
  await repo.clew("init");
  await repo.hooks(firstOf(repo.payloads("claude")).slice(0, -1));
  const lists = await Promise.all(Array.from({ length: 6 }, () => list(repo)));
  const [session] = await list(repo);
  expect(lists.map((sessions) => sessions.map(({ session_id }) => session_id))).toEqual(
    lists.map(() => [session!.session_id]),
  );
  expect(readdirSync(join(repo.root, ".clew/sessions"))).toEqual([session!.session_id]);
});

test("W12 H5 a call that was denied is no call that was made: by a rule with its words, by a person without", async () => {
  using repo = new HookRepo();
  await repo.clew("init");
  repo.configure("policy:\n  - {command: git push ..., decide: deny, reason: a person pushes}\n");
  const bash = (event: string, id: string, command: string): Payload =>
    payload("s-1", event, { cwd: repo.root, tool_name: "Bash", tool_use_id: id, tool_input: { command } });
  await repo.hooks([payload("s-1", "UserPromptSubmit", { cwd: repo.root, prompt: "publish it" })]);
  const denied = await repo.hook(bash("PreToolUse", "c-1", "git push origin"));
  expect([denied.code, denied.stderr]).toEqual([2, expect.stringContaining("a person pushes")]);
  await repo.hooks([bash("PreToolUse", "c-2", "npm publish"), payload("s-1", "Stop", { cwd: repo.root })]);
  const [session] = await list(repo);
  const { phases } = await repo.show(session!.session_id);
  expect(phases[0]!.entries.filter(({ kind }) => kind === "tool")).toMatchObject([
    { args: "git push origin", failed: true, result: expect.stringMatching(/^denied: .*a person pushes/) },
    { args: "npm publish", failed: true, result: "no end was told: it was denied, or cut off" },
  ]);
});
