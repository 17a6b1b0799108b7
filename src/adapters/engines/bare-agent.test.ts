import { existsSync, mkdtempSync, readdirSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeEach, expect, test } from "vitest";
import { bareRemains } from "../../contract/engine-abilities.ts";
import { AnswerText } from "../../engine/answer-text.ts";
import { acpEngine } from "./acp/engine.ts";
import { claudeEngine } from "./claude/engine.ts";
import { codexEngine } from "./codex/engine.ts";
import type { Engine, EngineStart } from "./engine.ts";
import { geminiEngine } from "./gemini/engine.ts";
import { ended, play, start } from "./live-agent.fixture.ts";
import { opencodeEngine } from "./opencode/engine.ts";
import { qwenEngine } from "./qwen/engine.ts";

const bare = { bare: true, level: "read", until: "answer" } as const;
const find = (name: string): string => `/bin/${name}`;
const engines: Engine[] = [
  claudeEngine(find, ["clew"]),
  codexEngine(find),
  geminiEngine(find),
  opencodeEngine(find, {}),
  qwenEngine(find, ["clew"], {}),
  acpEngine("mine", [process.execPath, join(import.meta.dirname, "acp/agent.fixture.mjs")]),
];
let place: string;

beforeEach(() => {
  place = realpathSync(mkdtempSync(join(tmpdir(), "clew-bare-test-")));
  return () => rmSync(place, { recursive: true });
});

function startOf(name: string, task: object = {}): EngineStart {
  const engine = engines.find((each) => each.name === name)!;
  const begun = engine.start({
    task: { prompt: "SECRET WORDS", ...bare, ...task },
    settings: { script: null },
    folder: place,
  });
  if ("reason" in begun) throw new Error(begun.reason);
  return begun;
}

test("T3 a bare agent works in an empty folder of its own, without hooks and tools, and leaves nothing", async () => {
  writeFileSync(join(place, "CLAUDE.md"), "Be brief.\n");
  const live = play(place, [{ say: "# A plan\n", write: { path: "made.txt", content: "x" } }, { say: "Done." }], {
    ...bare,
    onStderr: (text) => expect(text).toBe(""),
  });
  const end = await ended(live);
  const init = JSON.parse(live.transcript().split("\n")[0]!) as { cwd: string; tools: string[] };
  expect(end.outcome).toBe("completed");
  expect(init.tools).toEqual([]);
  expect(init.cwd).not.toContain(place);
  expect(existsSync(init.cwd)).toBe(false);
  expect(live.events.find(({ type }) => type === "tool_result")).toMatchObject({
    failed: true,
    output: "there is no tool Write for this agent",
  });
  expect(readdirSync(place).sort()).toEqual(["CLAUDE.md", "script.json", "transcripts"]);
  const answer = new AnswerText();
  for (const event of live.events) answer.add(event);
  expect(answer.answer).toMatchObject({ text: "Done.", ended: "complete" });
});

test("T3 a bare agent of the user's own gets no permission, and no listener has to say so", async () => {
  const live = start(place, engines.at(-1)!, { ...bare, prompt: "run touch done" });
  const end = await ended(live);
  expect(live.events.filter(({ type }) => type === "permission")).toHaveLength(1);
  expect(live.events.at(-1)).toMatchObject({ type: "result", denied: ["execute"] });
  expect(end.outcome).toBe("completed");
});

test("T3 a prompt that the engine would take for a command of its own is refused before anything starts", async () => {
  const live = start(
    place,
    engines.find(({ name }) => name === "gemini")!,
    { ...bare, prompt: " /help" },
  );
  const error = "gemini takes a prompt that begins with / for a command of its own: begin it with another character";
  expect(await ended(live)).toMatchObject({ outcome: "failed", verdict: { error } });
  expect(live.processes).toEqual([]);
});

test("T3 the prompt of a bare agent is on no command line, and what it brings is turned off", () => {
  for (const { name } of engines) expect(JSON.stringify(startOf(name))).not.toContain("SECRET WORDS");
  expect(startOf("claude", { model: "opus" }).command.slice(6)).toEqual([
    "--setting-sources=user",
    "--strict-mcp-config",
    "--permission-mode=default",
    "--tools=",
    "--system-prompt=",
    "--disable-slash-commands",
    "--no-session-persistence",
    '--settings={"disableAllHooks":true,"outputStyle":"default","language":""}',
    "--model=opus",
  ]);
  expect(startOf("claude").env).toMatchObject({ CLAUDE_CODE_DISABLE_CLAUDE_MDS: "1" });
  expect(startOf("codex").command).toEqual(expect.arrayContaining(["project_doc_max_bytes=0", "features.hooks=false"]));
  expect(startOf("codex").command.at(-1)).toBe("app-server");
  expect(startOf("gemini").command.slice(1)).toEqual(["--acp", "--extensions=none", "--allowed-mcp-server-names=none"]);
  expect(startOf("gemini").files?.map(({ name }) => name)).toEqual([".gemini/settings.json", "system.md"]);
  expect(startOf("qwen").command).toEqual(expect.arrayContaining(["--core-tools=none", "--system-prompt= "]));
  expect(startOf("qwen").files?.map(({ name }) => name)).toEqual([".qwen/settings.json"]);
  expect(JSON.parse(startOf("opencode").env!["OPENCODE_CONFIG_CONTENT"]!)).toMatchObject({
    permission: { "*": "deny" },
    agent: { build: { prompt: " ", tools: { "*": false } }, title: { disable: true } },
  });
});

test("T3 what an engine cannot turn off is said in the known words, each once and in their order", () => {
  for (const engine of engines) expect(bareRemains.filter((name) => engine.bare.includes(name))).toEqual(engine.bare);
});
