import { expect, test } from "vitest";
import type { EngineEvent, UsageEvent } from "../contract/engine.ts";
import { createFold, type EngineState } from "./fold.ts";

const folded = (events: EngineEvent[]): EngineState => {
  const fold = createFold();
  events.forEach((event) => fold.add(event));
  return fold.state();
};
const used = (of: "message" | "session", input: number, more: Partial<UsageEvent> = {}): UsageEvent => ({
  type: "usage",
  of,
  input_tokens: input,
  output_tokens: 1,
  ...more,
});

test("H9 the last ten activities are kept: tool, text, thinking, result, error", () => {
  const events: EngineEvent[] = [
    ...Array.from({ length: 6 }, (_, n): EngineEvent => ({ type: "message", text: `words ${n}` })),
    { type: "thinking", text: "hm,\n  well" },
    { type: "tool_call", id: "1", name: "Bash", input: { description: "tests", command: "npm test" } },
    { type: "tool_result", id: "1", output: "fine", failed: false },
    { type: "tool_call", id: "2", name: "Odd", input: { n: 1, what: "this" } },
    { type: "permission", id: "3", tool: "Write", input: {}, options: [] },
    { type: "delta", of: "message", text: "w" },
    { type: "error", message: "trying again" },
    { type: "result", failed: false, text: "done", denied: [] },
    { type: "result", failed: true, text: "x".repeat(300), denied: [] },
  ];
  expect(folded(events).activities).toEqual([
    { kind: "text", text: "words 3" },
    { kind: "text", text: "words 4" },
    { kind: "text", text: "words 5" },
    { kind: "thinking", text: "hm, well" },
    { kind: "tool", text: "Bash npm test" },
    { kind: "tool", text: "Odd this" },
    { kind: "tool", text: "Write waits for permission" },
    { kind: "error", text: "trying again" },
    { kind: "result", text: "done" },
    { kind: "error", text: `${"x".repeat(199)}…` },
  ]);
});

test("G15 the figures of a message replace those told before, messages add up, totals replace all", () => {
  const messages = [
    used("message", 100, { message_id: "a" }),
    used("message", 110, { message_id: "a" }),
    used("message", 5, { message_id: "b" }),
    used("message", 1),
  ];
  expect(folded(messages).usage).toEqual({ input_tokens: 116, output_tokens: 3 });
  const total = used("session", 200, { cost_usd: 0.5 });
  expect(folded([...messages, total]).usage).toEqual({ input_tokens: 200, output_tokens: 1, cost_usd: 0.5 });
  expect(folded([...messages, total, used("message", 7, { message_id: "c" })]).usage).toEqual({
    input_tokens: 207,
    output_tokens: 2,
    cost_usd: 0.5,
  });
});

test("G15 what no engine told is absent, not nothing", () => {
  expect(folded([{ type: "message", text: "hello" }])).toEqual({
    activities: [{ kind: "text", text: "hello" }],
    message: "hello",
  });
});

test("G9 the last words are the agent's own, not those of its subagents", () => {
  const words = ["mine", " "].map((text) => ({ type: "message", text }) as const);
  expect(folded([...words, { type: "message", text: "theirs", parent: "call-1" }]).message).toBe("mine");
});
