import { readFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { EngineEvent } from "../../contract/engine.ts";
import { createClaudeReader } from "./stream.ts";
import { createFold } from "../fold.ts";

/** Lines that the real programs printed, of several sessions. */
const sample = (name: string): string[] =>
  readFileSync(join(import.meta.dirname, "../../../test/fixtures/engines", `${name}.stream.jsonl`), "utf8")
    .split("\n")
    .filter((line) => line !== "");
const claude = sample("claude");
const qwen = sample("qwen");

const read = (lines: string[]): EngineEvent[] => {
  const reader = createClaudeReader();
  return [...lines.flatMap((line) => reader.push(line)), ...reader.end()];
};
const line = (fields: object): string => JSON.stringify(fields);
const usageAfter = (events: EngineEvent[]): unknown => {
  const fold = createFold();
  events.forEach((event) => fold.add(event));
  return fold.state().usage;
};

describe("W4 what Claude Code printed", () => {
  test("W4 a session: init, two lines of one message, a tool and its result, totals, the end", () => {
    const message_id = "msg_06ebec7f28bf4cd2b0a2b761";
    const id = "toolu_dc9b74dcad6a45ac9ca2613a";
    expect(read(claude.slice(0, 5))).toEqual([
      { type: "init", engine_session: "0eaeb117-2e37-4e9f-9fd6-ddc586ef748c", model: "claude-opus-5-5" },
      { type: "message", text: "I will write the file.", message_id },
      { type: "usage", of: "message", message_id, model: "claude-opus-5-5", input_tokens: 1000, output_tokens: 1 },
      {
        type: "tool_call",
        id,
        name: "Write",
        input: { file_path: "/repo/hello.txt", content: "hello from the script\n" },
        message_id,
      },
      { type: "tool_result", id, output: expect.stringMatching(/^File created/) as string, failed: false },
      // 1800 of the tokens that it read came from a cache, and are counted apart there.
      {
        type: "usage",
        of: "session",
        input_tokens: 5500,
        cached_input_tokens: 1800,
        output_tokens: 120,
        cost_usd: 0.01756,
      },
      { type: "result", failed: false, text: "All done: file written and command run.", denied: [] },
    ]);
  });

  test("W4 a compaction is told; hooks, tasks and the prompts of others are passed over", () => {
    const text = "The conversation was compacted here (manual, 120 tokens before).";
    expect(read(claude.slice(5, 18))).toEqual([{ type: "compacted", text }]);
  });

  test("W4 totals take in what compaction used, though `usage` says nothing of it", () => {
    expect(usageAfter(read(claude.slice(18, 19)))).toEqual({ input_tokens: 5200, output_tokens: 60, cost_usd: 0.022 });
  });

  test("W11 what a session used before it was resumed is not counted again, and its subagents once", () => {
    const figures = (input: number, cost: number): object => ({
      main: { inputTokens: input, outputTokens: 1, cacheReadInputTokens: 5, costUSD: cost },
      subagent: { inputTokens: 3, outputTokens: 1, costUSD: 0.25 },
    });
    const result = (total: object, since: object, cost: number): string =>
      line({ type: "result", modelUsage: total, model_usage_since_last_result: since, total_cost_usd: cost });
    const results = [result(figures(100, 1), figures(10, 0.5), 1.25), result(figures(120, 1.5), figures(20, 0.5), 2)];
    expect(usageAfter(read(results))).toEqual({
      input_tokens: 46,
      cached_input_tokens: 10,
      output_tokens: 4,
      cost_usd: 1.5,
    });
    expect(usageAfter(read([line({ type: "result", model_usage_since_last_result: {}, total_cost_usd: 1 })]))).toEqual({
      input_tokens: 0,
      output_tokens: 0,
      cost_usd: 0,
    });
  });

  test("W4 a permission is asked for", () => {
    expect(read(claude.slice(20, 21))).toEqual([
      {
        type: "permission",
        id: "875c0beb-fffa-4661-96ae-b388ab5bc697",
        tool: "Bash",
        input: { command: "echo x > y", description: "scripted command" },
        options: [
          { id: "allow", label: "Allow", kind: "allow_once" },
          { id: "deny", label: "Deny", kind: "reject_once" },
          { id: "always", label: "Allow in this session", kind: "allow_always" },
        ],
        tool_call: "toolu_6ffe2f4dff6749d3883ace44",
        action: { kind: "run", command: "echo x > y" },
      },
    ]);
  });

  test("W4 an API error is a failure also where the subtype says success; a retry is an error on the way", () => {
    const [retry, usage, result] = read(claude.slice(22, 24));
    expect(retry).toEqual({
      type: "error",
      message: "the model's API answered: 529 overloaded; trying again (try 1 of 1)",
    });
    expect(usage).toEqual({ type: "usage", of: "session", input_tokens: 0, output_tokens: 0, cost_usd: 0 });
    expect(result).toMatchObject({ failed: true, text: expect.stringMatching(/^API Error: 529 Overloaded/) as string });
  });

  test("W4 failures say why: limits, interruptions, an unknown session", () => {
    const failures = [...claude.slice(21, 22), ...claude.slice(24, 25), ...claude.slice(34)].map(
      (each) => read([each])[1],
    );
    expect(failures.map((event) => event?.type === "result" && [event.failed, event.text])).toEqual([
      [true, "[ede_diagnostic] result_type=user last_content_type=n/a stop_reason=null"],
      [true, "Reached maximum number of turns (2)"],
      [true, "No conversation found with session ID: 11111111-1111-4111-8111-111111111111"],
      [true, "[ede_diagnostic] result_type=user last_content_type=n/a stop_reason=tool_use"],
    ]);
  });

  test("W4 thinking comes in pieces, then whole", () => {
    const message_id = "msg_1cbc1d948f9e43b99de1d7c0";
    expect(read(claude.slice(25, 34))).toEqual([
      { type: "delta", of: "thinking", text: "I think about it.", message_id },
      { type: "thinking", text: "I think about it.", message_id },
      { type: "usage", of: "message", message_id, model: "claude-opus-5-5", input_tokens: 100, output_tokens: 1 },
    ]);
  });
});

describe("W4 what Qwen Code printed", () => {
  test("W4 a session, in which cached tokens are counted among the others", () => {
    const events = read(qwen.slice(0, 6));
    expect(events.map(({ type }) => type)).toEqual([
      "init",
      "message",
      "tool_call",
      "usage",
      "tool_result",
      "usage",
      "result",
    ]);
    expect(usageAfter(events)).toEqual({ input_tokens: 3700, cached_input_tokens: 1800, output_tokens: 120 });
  });

  test("W4 what its results count runs on from one to the next", () => {
    const result = (input_tokens: number, output_tokens: number): string =>
      line({ type: "result", usage: { input_tokens, output_tokens, total_tokens: input_tokens + output_tokens } });
    expect(usageAfter(read([result(100, 20), result(200, 40)]))).toEqual({ input_tokens: 200, output_tokens: 40 });
  });

  test("W4 what an earlier session used is not counted again", () => {
    const usage = { input_tokens: 100, output_tokens: 20, total_tokens: 120 };
    const reader = createClaudeReader({ isResumed: true });
    const lines = [
      line({ type: "assistant", message: { id: "m-1", content: [], usage } }),
      line({ type: "result", usage: { input_tokens: 900, output_tokens: 90, total_tokens: 990 } }),
    ];
    expect(usageAfter(lines.flatMap((each) => reader.push(each)))).toEqual({ input_tokens: 100, output_tokens: 20 });
  });

  test("W4 its error", () => {
    expect(read(qwen.slice(6)).at(-1)).toEqual({
      type: "result",
      failed: true,
      text: "[API Error: 401 bad key]",
      denied: [],
    });
  });
});

describe("W4 the reader of Claude's stream", () => {
  test.each([
    ["nothing", {}, {}],
    ["zeros", { usage: { input_tokens: 0, output_tokens: 0 }, modelUsage: {} }, {}],
    ["a cost alone", { total_cost_usd: 0.5 }, { cost_usd: 0.5 }],
  ])("W4 W9 where a result tells %s of what was used, its messages count", (_, told, cost) => {
    const message = (id: string, input_tokens: number): string =>
      line({ type: "assistant", message: { id, content: [], usage: { input_tokens, output_tokens: 1 } } });
    const events = read([message("a", 10), message("a", 12), message("b", 20), line({ type: "result", ...told })]);
    expect(usageAfter(events)).toEqual({ input_tokens: 32, output_tokens: 2, ...cost });
    const later = { type: "result", usage: { input_tokens: 5, output_tokens: 1 } };
    const twice = read([message("a", 10), line({ type: "result", ...told }), message("b", 5), line(later)]);
    expect(usageAfter(twice)).toMatchObject({ input_tokens: 15, output_tokens: 2 });
  });

  test("W4 two results in one run: `usage` counts from the first, the cost from the start, the last word counts", () => {
    const result = (text: string, input: number, cost: number): string =>
      line({
        type: "result",
        result: text,
        usage: { input_tokens: input, output_tokens: 1 },
        total_cost_usd: cost,
        is_error: false,
      });
    const events = read([result("first", 100, 0.1), result("second", 20, 0.15)]);
    expect(usageAfter(events)).toEqual({ input_tokens: 120, output_tokens: 2, cost_usd: 0.15 });
    expect(events.at(-1)).toMatchObject({ type: "result", text: "second" });
  });

  test("W4 blocks of tool results become text, pictures their name; subagents keep their parent", () => {
    const content = [
      { type: "text", text: "seen:" },
      { type: "image", source: {} },
    ];
    const block = { type: "tool_result", tool_use_id: "t1", content, is_error: true };
    expect(read([line({ type: "user", parent_tool_use_id: "t0", message: { content: [block] } })])[0]).toEqual({
      type: "tool_result",
      id: "t1",
      output: "seen:\n[image]",
      failed: true,
      parent: "t0",
    });
  });

  test("W4 stray lines are told only when there is no result", () => {
    const stray = ["Warning: something is old", "null", "[1]", "{torn"];
    expect(read([...stray, line({ type: "result", result: "done" })]).filter(({ type }) => type === "error")).toEqual(
      [],
    );
    expect(read(stray)).toEqual([
      { type: "error", message: "it printed what is no event: Warning: something is old / null / [1] / {torn" },
    ]);
    expect(read(["", "  "])).toEqual([]);
  });

  test("W4 any JSON is read without a fault", () => {
    const kinds = fc.constantFrom("system", "assistant", "user", "stream_event", "control_request", "result", "new");
    const keys = fc.constantFrom("type", "subtype", "message", "content", "usage", "modelUsage", "errors", "request");
    const anything = fc.jsonValue({ maxDepth: 4 });
    fc.assert(
      fc.property(fc.dictionary(keys, anything), kinds, anything, (fields, type, content) => {
        read([line({ ...fields, type }), line({ type, message: { content: [content], usage: content } })]);
      }),
    );
  });
});
