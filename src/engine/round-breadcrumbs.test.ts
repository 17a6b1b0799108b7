import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { breadcrumb } from "../contract/breadcrumb.ts";
import type { EngineEvent } from "../contract/engine.ts";
import { replay } from "./acp/recorded.fixture.ts";
import { createClaudeReader } from "./claude/stream.ts";
import { createFold } from "./fold.ts";
import { RoundBreadcrumbs, type RoundBreadcrumb, type RoundSource } from "./round-breadcrumbs.ts";

const fixtures = join(import.meta.dirname, "../../test/fixtures/engines");
const read = (name: string): string => readFileSync(join(fixtures, name), "utf8");

type Numbered = [EngineEvent, number];

function breadcrumbsOf(events: Numbered[], source: Partial<RoundSource> = {}): RoundBreadcrumb[] {
  let time = Date.parse("2026-11-17T10:00:00.000Z");
  const rounds = new RoundBreadcrumbs({
    engine: "claude",
    prompt: "Mend the roof.",
    now: () => (time += 1000),
    ...source,
  });
  return [...events.flatMap(([event, line]) => rounds.add(event, line)), ...rounds.end()];
}

function roundsIn(events: Numbered[]): number {
  const fold = createFold();
  for (const [event] of events) fold.add(event);
  return fold.state().rounds ?? 0;
}

function claudeEvents(lines: string[]): Numbered[] {
  const reader = createClaudeReader();
  const events = lines.flatMap((line, at) => reader.push(line).map((event): Numbered => [event, at + 1]));
  return [...events, ...reader.end().map((event): Numbered => [event, lines.length])];
}

/** One line of Claude for each block of a message. */
function said(id: string, block: object, output: number, parent: string | null = null): string {
  const usage = { input_tokens: 10, output_tokens: output, cache_read_input_tokens: 5 };
  return JSON.stringify({
    type: "assistant",
    parent_tool_use_id: parent,
    message: { id, model: "m", content: [block], usage },
  });
}
const text = (words: string): object => ({ type: "text", text: words });
const use = (id: string, name: string, input: object): object => ({ type: "tool_use", id, name, input });
const given = (id: string, parent: string | null = null, failed = false): string =>
  JSON.stringify({
    type: "user",
    parent_tool_use_id: parent,
    message: { content: [{ type: "tool_result", tool_use_id: id, content: "done", is_error: failed }] },
  });
const init = JSON.stringify({ type: "system", subtype: "init", session_id: "s-1", model: "m" });
const result = JSON.stringify({ type: "result", is_error: false, result: "All done.", usage: {}, modelUsage: {} });

test("W5 each round of an agent becomes a breadcrumb, with its calls, files, tokens and place in the transcript", () => {
  const lines = [
    init,
    said("a", text("I look."), 1),
    said("a", use("t1", "Read", { file_path: "/repo/a.ts" }), 7),
    given("t1"),
    said("b", use("t2", "Write", { file_path: "/repo/src/a.ts", content: "x" }), 3),
    said("b", use("t3", "Edit", { file_path: "/repo/no.ts" }), 4),
    given("t2"),
    given("t3", null, true),
    said("c", text("Mended."), 2),
    result,
  ];
  const found = breadcrumbsOf(claudeEvents(lines), {
    transcriptFile: "claude-1.jsonl",
    folder: "/repo",
    task: () => "demo-1",
    prices: () => (model) => (model === "m" ? ({ output_tokens }) => output_tokens : undefined),
  });
  expect(found).toHaveLength(3);
  const [first, second, third] = found;
  expect(first).toMatchObject({
    timestamp: "2026-11-17T10:00:01.000Z",
    depth: 0,
    kind: "round",
    prompt: "Mend the roof.",
    response: "I look.",
    tools_called: [{ name: "Read", about: "/repo/a.ts", failed: false }],
    tokens: { input: 15, output: 7, cached: 5 },
    cost_usd: 7,
    model: "m",
    engine: "claude",
    engine_session: "s-1",
    transcript: { file: "claude-1.jsonl", from: 2, to: 4 },
    task: "demo-1",
  });
  expect(first).not.toHaveProperty("files_modified");
  expect(second).toMatchObject({
    tools_called: [
      { name: "Write", about: "/repo/src/a.ts", failed: false },
      { name: "Edit", about: "/repo/no.ts", failed: true },
    ],
    files_modified: ["src/a.ts"],
    tokens: { output: 4 },
    transcript: { from: 5, to: 8 },
  });
  expect(second).not.toHaveProperty("prompt");
  expect(second).not.toHaveProperty("response");
  expect(third).toMatchObject({ response: "Mended.", tokens: { output: 2 }, transcript: { from: 9, to: 9 } });
  for (const each of found) expect(breadcrumb.safeParse(each)).toMatchObject({ success: true });
});

test("W5 a round is a message: what it calls after another call's result is its own", () => {
  const lines = [
    init,
    said("a", use("t1", "Read", { file_path: "/repo/a.ts" }), 1),
    given("t1"),
    said("a", use("t2", "Read", { file_path: "/repo/b.ts" }), 1),
    given("t2"),
    said("b", text("Read."), 2),
    result,
  ];
  const found = breadcrumbsOf(claudeEvents(lines), { transcriptFile: "claude-1.jsonl" });
  expect(found.map(({ tools_called = [] }) => tools_called.map(({ about }) => about))).toEqual([
    ["/repo/a.ts", "/repo/b.ts"],
    [],
  ]);
  expect(found.map(({ transcript }) => [transcript!.from, transcript!.to])).toEqual([
    [2, 5],
    [6, 6],
  ]);
});

test("W5 subagents are deeper by one each, with what they were asked, by which call, and the price of their own model", () => {
  const lines = [
    init,
    said("a", use("t1", "Task", { prompt: "Count the nails." }), 1),
    said("b", use("t2", "Task", { prompt: "Look into the box." }), 2, "t1"),
    said("c", text("Seven."), 3, "t2"),
    given("t2", "t1"),
    said("d", text("Seven nails."), 4, "t1"),
    given("t1"),
    said("e", text("There are seven."), 5),
    result,
  ];
  const events = claudeEvents(lines.map((each) => each.replace(/"id":"c","model":"m"/, '"id":"c","model":"small"')));
  const found = breadcrumbsOf(events, { prices: () => (model) => () => (model === "small" ? 0.5 : 1) });
  expect(roundsIn(events)).toBe(5);
  const byOutput = found.toSorted((a, b) => a.tokens!.output - b.tokens!.output);
  expect(byOutput.map(({ depth }) => depth)).toEqual([0, 1, 2, 1, 0]);
  expect(byOutput.map(({ prompt }) => prompt)).toEqual([
    "Mend the roof.",
    "Count the nails.",
    "Look into the box.",
    undefined,
    undefined,
  ]);
  expect(byOutput.map(({ cost_usd }) => cost_usd)).toEqual([1, 1, 0.5, 1, 1]);
  expect(byOutput.map(({ model }) => model)).toEqual(["m", "m", "small", "m", "m"]);
  expect(byOutput.map(({ call }) => call)).toEqual([undefined, "t1", "t2", "t1", undefined]);
});

const recordings: [string, Numbered[]][] = [
  ["claude.stream.jsonl", claudeEvents(read("claude.stream.jsonl").trimEnd().split("\n"))],
  ["qwen.stream.jsonl", claudeEvents(read("qwen.stream.jsonl").trimEnd().split("\n"))],
];
for (const name of ["gemini.acp.jsonl", "opencode.acp.jsonl"]) {
  const lines = read(name).trimEnd().split("\n");
  const cases = new Set(lines.map((line) => (JSON.parse(line) as { case: string }).case));
  for (const each of cases) {
    const { events } = replay(read(name), each, { send: "queues", denial: "goes_on", countsRound: true });
    recordings.push([`${name} ${each}`, events.map((event, at): Numbered => [event, at + 1])]);
  }
}

test.for(recordings)("W5 as many breadcrumbs as rounds are counted: %s", ([, events]) => {
  const found = breadcrumbsOf(events);
  expect(found).toHaveLength(roundsIn(events));
  for (const each of found) expect(breadcrumb.safeParse(each)).toMatchObject({ success: true });
});

test("W5 an engine that tells totals only: each new total is a round, with what was used since", () => {
  const total = (input_tokens: number, output_tokens: number): EngineEvent => ({
    type: "usage",
    of: "session",
    input_tokens,
    output_tokens,
  });
  const events: Numbered[] = [
    [
      {
        type: "tool_call",
        id: "c-1",
        name: "apply_patch",
        input: { path: "a, b", changes: [{ path: "a" }, { path: "b", kind: { move_path: "c" } }] },
      },
      1,
    ],
    [{ type: "tool_result", id: "c-1", output: "", failed: false }, 2],
    [total(100, 10), 3],
    [{ type: "message", text: "Done." }, 4],
    [total(250, 14), 5],
    [{ type: "result", failed: false, text: "Done.", denied: [] }, 6],
  ];
  const found = breadcrumbsOf(events, { engine: "codex" });
  expect(found).toHaveLength(roundsIn(events));
  expect(found.map(({ tokens, files_modified, response }) => [tokens, files_modified, response])).toEqual([
    [{ input: 100, output: 10 }, ["a", "b", "c"], undefined],
    [{ input: 150, output: 4 }, undefined, "Done."],
  ]);
});

test("W5 what was begun when the agent died is told without tokens, and an engine that tells nothing has one for each result", () => {
  const half: Numbered[] = [[{ type: "message", text: "I beg" }, 1]];
  expect(breadcrumbsOf(half)).toMatchObject([{ prompt: "Mend the roof.", response: "I beg" }]);
  expect(breadcrumbsOf(half)[0]).not.toHaveProperty("tokens");
  const usage: EngineEvent = { type: "usage", of: "session", input_tokens: 10, output_tokens: 2 };
  const called: Numbered[] = [
    ...half,
    [{ type: "tool_call", id: "c-1", name: "shell", input: {} }, 2],
    [{ type: "tool_result", id: "c-1", output: "", failed: false }, 3],
    [usage, 4],
    [{ type: "message", text: "And th" }, 5],
  ];
  expect(breadcrumbsOf(called).map(({ response, tokens }) => [response, tokens])).toEqual([
    ["I beg", { input: 10, output: 2 }],
    ["And th", undefined],
  ]);
  const done: Numbered[] = [...half, [{ type: "result", failed: true, text: "No more.", denied: [] }, 2]];
  expect(breadcrumbsOf(done).map(({ response }) => response)).toEqual(["I beg"]);
});

test("W5 the same events give the same breadcrumbs", () => {
  const events = claudeEvents(read("claude.stream.jsonl").trimEnd().split("\n"));
  expect(breadcrumbsOf(events)).toEqual(breadcrumbsOf(events));
});
