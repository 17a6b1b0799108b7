import { describe, expect, test } from "vitest";
import type { EngineEvent } from "../../contract/engine.ts";
import { problemIn } from "../problems.ts";
import type { Fields } from "../read-fields.ts";
import { atWork, replay, told } from "../../../test/support/codex-replay.ts";
import { resultInForm } from "./result-form.ts";

const ended = (item: Fields, threadId?: string): Fields => told("item/completed", { item }, threadId);
const used = (turnId: string, input: number, last = 100, threadId = "t-1"): Fields =>
  told(
    "thread/tokenUsage/updated",
    {
      turnId,
      tokenUsage: { total: { inputTokens: input, outputTokens: 10 }, last: { inputTokens: last, outputTokens: 10 } },
    },
    threadId,
  );
const begunTurn = (id: string, threadId?: string): Fields => told("turn/started", { turn: { id } }, threadId);
const ofTypes = (events: EngineEvent[], ...types: EngineEvent["type"][]): EngineEvent[] =>
  events.filter(({ type }) => types.includes(type));

describe("W4 what Codex printed", () => {
  const patch = "call_7f15ae5e24ae40c18fcbdf1a";
  const shell = "call_8b38fab68082432aa19a9c4d";
  const changes = [{ path: "/repo/hello.txt", kind: { type: "add" }, diff: "hello\n" }];
  const command = "echo shell-ran > marker.txt; cat marker.txt";

  test("W4 a turn: thoughts, messages, an edit and a command that were allowed, figures, the end", () => {
    const { events } = replay("every approval is accepted");
    const message_id = expect.any(String) as string;
    expect(events.filter(({ type }) => type !== "delta" && type !== "usage")).toEqual([
      { type: "init", engine_session: "01a1e926-5b83-7133-a586-9064f0ac7677", model: "gpt-5.5" },
      { type: "thinking", text: "First a file.", message_id },
      { type: "message", text: "I write the file.", message_id },
      { type: "tool_call", id: patch, name: "apply_patch", input: { path: "/repo/hello.txt", changes } },
      {
        type: "permission",
        id: "0",
        tool: "apply_patch",
        input: { path: "/repo/hello.txt", changes },
        tool_call: patch,
        action: { kind: "edit", paths: ["/repo/hello.txt"] },
        options: [
          { id: "accept", label: "Allow", kind: "allow_once" },
          { id: "acceptForSession", label: "Allow for this session", kind: "allow_always" },
          { id: "decline", label: "Deny", kind: "reject_once" },
        ],
      },
      { type: "tool_result", id: patch, name: "apply_patch", output: "", failed: false },
      { type: "message", text: "Now a command.", message_id },
      { type: "tool_call", id: shell, name: "shell", input: { command } },
      {
        type: "permission",
        id: "1",
        tool: "shell",
        input: { command, cwd: "/repo" },
        tool_call: shell,
        action: { kind: "run", command },
        // Its own list has no answer for the whole session.
        options: [
          { id: "accept", label: "Allow", kind: "allow_once" },
          { id: "decline", label: "Deny", kind: "reject_once" },
        ],
      },
      {
        type: "tool_result",
        id: shell,
        name: "shell",
        output: "shell-ran\n",
        failed: false,
        exit_code: 0,
        duration_ms: 0,
      },
      { type: "message", text: "All is done.", message_id },
      { type: "result", failed: false, text: "All is done.", denied: [] },
    ]);
    expect(ofTypes(events, "usage").at(-1)).toEqual({
      type: "usage",
      of: "session",
      input_tokens: 3700,
      cached_input_tokens: 1800,
      output_tokens: 120,
    });
    expect(ofTypes(events, "delta").slice(0, 3)).toEqual([
      { type: "delta", of: "thinking", text: "First a file", message_id },
      { type: "delta", of: "thinking", text: ".", message_id },
      { type: "delta", of: "message", text: "I write the ", message_id },
    ]);
  });

  test("W4 what was declined failed, and the result names it", () => {
    const { events, written } = replay("every approval is declined");
    expect(ofTypes(events, "tool_result")).toMatchObject([
      { name: "apply_patch", failed: true, output: "It was not allowed." },
      { name: "shell", failed: true, output: "It was not allowed." },
    ]);
    expect(written.filter(({ result }) => result)).toEqual([
      { id: 0, result: { decision: "decline" } },
      { id: 1, result: { decision: "decline" } },
    ]);
    expect(events.at(-1)).toMatchObject({ type: "result", failed: false, denied: ["apply_patch", "shell"] });
  });

  test("W4 an API that refuses: each try is told, then the reason", () => {
    const { events } = replay("the model's API refuses the key");
    const why = "unexpected status 401 Unauthorized: invalid key, url: http://127.0.0.1:42581/v1/responses";
    expect(ofTypes(events, "error")).toEqual([
      { type: "error", message: `Reconnecting... 1/5: ${why}`, answer: "discarded" },
      { type: "error", message: `Reconnecting... 2/5: ${why}`, answer: "discarded" },
    ]);
    expect(events.at(-1)).toEqual({ type: "result", failed: true, text: why, denied: [] });
    expect(problemIn(why)).toBe("not_logged_in");
    expect(replay("the model's API is asked too often").events.at(-1)).toMatchObject({
      failed: true,
      text: "exceeded retry limit, last status: 429 Too Many Requests",
    });
  });

  test("W4 a resumed thread: what it used before is taken off", () => {
    const { events } = replay("a resumed thread tells what it used before", {
      resume: "01a1e93b-cf5d-78c1-b49c-a2aff4873b71",
    });
    expect(ofTypes(events, "usage")).toEqual([{ type: "usage", of: "session", input_tokens: 100, output_tokens: 20 }]);
    expect(events.at(-1)).toMatchObject({ type: "result", failed: false, text: "I heard." });
  });

  test("H9 a command is asked for as the model wrote it, with its reason", () => {
    const { events } = replay("a command outside the sandbox");
    const written = "echo 'it'\"'\"'s' > \"a b.txt\"; echo $HOME";
    expect(ofTypes(events, "permission")).toMatchObject([
      { input: { command: written, reason: "I need it" }, action: { kind: "run", command: written } },
    ]);
  });

  test("H9 the call of an MCP tool is asked for by a form; compaction is passed over", () => {
    const { events, written } = replay("approval of an MCP tool call");
    expect(events).toMatchObject([
      { type: "permission", id: "0", tool: "mcp__raw__submit_result", input: { status: "done", summary: "ok" } },
      { type: "tool_call", name: "mcp__raw__submit_result" },
      { type: "tool_result", output: "accepted", failed: false, duration_ms: 1 },
    ]);
    // A server of another name is not ours, whatever its tools are called.
    expect(events[0]).not.toHaveProperty("action");
    expect(written.at(-1)).toEqual({ id: 0, result: { action: "accept", content: {}, _meta: null } });
    expect(replay("compaction").events).toEqual([]);
  });
});

describe("W4 other items and threads", () => {
  test.each<[Fields, object, object]>([
    [{ type: "webSearch", query: "roofs" }, { name: "web_search", input: { query: "roofs" } }, { failed: false }],
    [{ type: "imageView", path: "/a.png" }, { name: "view_image", input: { path: "/a.png" } }, { failed: false }],
    [
      { type: "imageGeneration", revisedPrompt: "a roof", savedPath: "/a.png", failure: { reason: "no" } },
      { name: "generate_image", input: { description: "a roof" } },
      { output: "/a.png", failed: true },
    ],
    [
      {
        type: "mcpToolCall",
        server: "s",
        tool: "t",
        arguments: { a: 1 },
        status: "failed",
        error: { message: "gone" },
      },
      { name: "mcp__s__t", input: { a: 1 } },
      { output: "gone", failed: true },
    ],
    [
      { type: "dynamicToolCall", tool: "t", success: false, contentItems: [{ type: "inputText", text: "no" }] },
      { name: "t", input: {} },
      { output: "no", failed: true },
    ],
    [
      { type: "commandExecution", command: "false", status: "completed", exitCode: 1 },
      { name: "shell", input: { command: "false" } },
      { failed: true },
    ],
    [
      { type: "collabAgentToolCall", tool: "spawnAgent", prompt: "Look.", status: "completed" },
      { name: "spawnAgent", input: { description: "Look." } },
      { failed: false },
    ],
  ])("W4 %o", (item, call, result) => {
    const events = atWork().hear(ended({ ...item, id: "c-1" }));
    expect(events).toMatchObject([
      { type: "tool_call", id: "c-1", ...call },
      { type: "tool_result", id: "c-1", ...result },
    ]);
  });

  test("W4 items that say nothing are passed over; a warning is told", () => {
    const items = [
      { type: "agentMessage", text: "" },
      { type: "reasoning", summary: [] },
      { type: "new" },
      { type: "webSearch" },
    ];
    expect(atWork().hear(...items.map((item) => ended(item)))).toEqual([]);
    expect(atWork().hear(told("warning", { message: "low on space" }), told("warning", {}))).toEqual([
      { type: "error", message: "low on space" },
    ]);
    const error = { message: "it broke", additionalDetails: null };
    expect(atWork().hear(told("error", { error, willRetry: false }))).toEqual([{ type: "error", message: "it broke" }]);
  });

  test("W4 a subagent speaks under the call that started it; its end is not the agent's, its tokens count", () => {
    const begun = atWork();
    begun.hear(begunTurn("u-1"), used("u-1", 100));
    const spawn = { type: "collabAgentToolCall", id: "c-1", tool: "spawnAgent", receiverThreadIds: ["t-2"] };
    begun.hear(told("item/started", { item: spawn }));
    const said = { type: "agentMessage", id: "m-1", text: "I looked." };
    expect(
      begun.hear(
        begunTurn("v-1", "t-2"),
        ended(said, "t-2"),
        used("v-1", 40, 40, "t-2"),
        told("turn/completed", { turn: { id: "v-1", status: "completed" } }, "t-2"),
      ),
    ).toEqual([
      { type: "message", text: "I looked.", message_id: "m-1", parent: "c-1" },
      { type: "usage", of: "session", parent: "c-1", input_tokens: 140, output_tokens: 20 },
    ]);
    expect(begun.hear(ended(said, "t-3"))).toMatchObject([{ parent: "t-3" }]);
    expect(begun.hear(told("turn/completed", { turn: { id: "u-1", status: "completed" } }))).toMatchObject([
      { text: "" },
    ]);
  });

  test("W4 a resumed thread that does not tell what it used before: the first round counts alone", () => {
    expect(atWork().hear(begunTurn("u-1"), used("u-1", 5000))).toMatchObject([
      { input_tokens: 100, output_tokens: 10 },
    ]);
    expect(atWork().hear(told("thread/tokenUsage/updated", {}))).toEqual([]);
  });

  test("W4 a turn that ended in an unknown way failed", () => {
    const end = (turn: Fields): EngineEvent[] => atWork().hear(told("turn/completed", { turn }));
    expect(end({})).toMatchObject([{ failed: true, text: "the turn failed" }]);
    expect(end({ status: "failed", error: { message: "it broke" } })).toMatchObject([{ text: "it broke" }]);
  });
});

describe("W4 the result of Codex", () => {
  test("W4 outputs come as a list, because the schema is strict, and are told by name", () => {
    const outputs = [
      { name: "answer", value: "42" },
      { name: "why", value: "plain words" },
      { name: "list", value: "[1]" },
      { name: "flag", value: true },
      { value: "nameless" },
    ];
    const text = JSON.stringify({ success: true, summary: "Done.", outputs });
    const begun = atWork({ until: "result" });
    begun.hear(ended({ type: "agentMessage", id: "m-1", text }));
    expect(begun.hear(told("turn/completed", { turn: { status: "completed" } }))).toEqual([
      {
        type: "result",
        failed: false,
        text,
        structured: {
          success: true,
          summary: "Done.",
          outputs: { answer: 42, why: "plain words", list: [1], flag: true },
        },
        denied: [],
      },
    ]);
  });

  test("W4 any other form is left to the judge", () => {
    expect(resultInForm('{"success":true,"summary":"x","outputs":{"a":1}}')).toBeUndefined();
    expect(resultInForm("words")).toBeUndefined();
  });
});
