import { expect, test } from "vitest";
import type { EngineEvent, UsageEvent } from "../contract/engine.ts";
import type { Usage } from "../contract/run.ts";
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

test("W11 a round is one message of a model, one new total, or one result where the engine tells no more", () => {
  const result: EngineEvent = { type: "result", failed: false, text: "", denied: [] };
  const first = [used("message", 1, { message_id: "a" }), used("message", 2, { message_id: "a" })];
  expect(folded([...first, used("message", 1), used("session", 3), result]).rounds).toBe(2);
  expect(folded([used("session", 1), used("session", 2), result]).rounds).toBe(2);
  expect(folded([result, result]).rounds).toBe(2);
});

test("W11 G15 the price of each request adds up; what the engine tells of the cost counts before it", () => {
  // As dear as prices that rise with the length of one request.
  const priceOf = ({ input_tokens }: Usage): number => (input_tokens > 100 ? 10 : 1);
  const costOf = (...events: EngineEvent[]): number | undefined => {
    const fold = createFold();
    events.forEach((event) => fold.add(event));
    return fold.state(priceOf).usage?.cost_usd;
  };
  const messages = [used("message", 80, { message_id: "a" }), used("message", 90)];
  expect(costOf(...messages)).toBe(2);
  expect(costOf(...messages, used("session", 170, { output_tokens: 2 }))).toBe(2);
  // What a subagent used beside them.
  expect(costOf(...messages, used("session", 400))).toBe(12);
  // Codex: totals only, each a request more.
  expect(costOf(used("session", 80), used("session", 160), used("session", 400))).toBe(12);
  expect(costOf(...messages, used("session", 400, { cost_usd: 0.5 }))).toBe(0.5);
  expect(costOf(...messages, used("session", 400, { cost_usd: 0.5 }), used("message", 1))).toBe(1.5);
  expect(folded(messages).usage).toEqual({ input_tokens: 170, output_tokens: 2 });
});

test("W11 G15 cached tokens are part of the others, and absent where no engine tells them", () => {
  const cached = used("message", 100, { cached_input_tokens: 60 });
  expect(folded([cached, used("message", 10)]).usage).toEqual({
    input_tokens: 110,
    cached_input_tokens: 60,
    output_tokens: 2,
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
