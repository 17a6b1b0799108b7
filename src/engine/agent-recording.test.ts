import { expect, test } from "vitest";
import type { EngineEvent } from "../contract/engine.ts";
import { AgentRecording, type AgentWrite } from "./agent-recording.ts";

const usage = (input_tokens: number, message_id: string, parent?: string): EngineEvent => ({
  type: "usage",
  of: "message",
  message_id,
  input_tokens,
  output_tokens: 0,
  ...(parent !== undefined && { parent }),
});
const call = (id: string, input: object, parent?: string): EngineEvent => ({
  type: "tool_call",
  id,
  name: "Task",
  input: input as never,
  ...(parent !== undefined && { parent }),
});
const over = (id: string, output: string, parent?: string): EngineEvent => ({
  type: "tool_result",
  id,
  output,
  failed: false,
  ...(parent !== undefined && { parent }),
});
const message = (text: string, parent?: string): EngineEvent => ({
  type: "message",
  text,
  ...(parent !== undefined && { parent }),
});

function short(write: AgentWrite): unknown[] {
  if (write.kind === "entry") {
    const { entry, by = "own" } = write;
    return [by, entry.kind, "tokens" in entry ? entry.tokens : "text" in entry ? entry.text : ""];
  }
  const { call: id, by = "own", agent } = write.subagent;
  return write.kind === "started" ? ["started", id, by, agent] : ["ended", id, write.summary, write.isCutOff];
}

function play(...events: EngineEvent[]): unknown[][] {
  const recording = new AgentRecording();
  return [...events.flatMap((event) => recording.add(event)), ...recording.end()].map(short);
}

test("S5 W9 tokens count for who used them, once; subagents end with their call, those of others inside", () => {
  const writes = play(
    { type: "init", model: "opus" },
    call("a", { subagent_type: "reviewer", description: "Look" }),
    usage(100, "m1"),
    message("I look.", "a"),
    call("b", { subagent_type: "no name" }, "a"),
    usage(20, "s1", "a"),
    message("Deeper.", "b"),
    usage(7, "t1", "b"),
    over("b", "seen", "a"),
    over("a", "It leaks."),
    usage(3, "m2"),
    { type: "usage", of: "session", input_tokens: 140, output_tokens: 0 },
    { type: "result", failed: false, text: "", denied: [] },
  );
  expect(writes).toEqual([
    ["started", "a", "own", "reviewer"],
    ["a", "text", "I look."],
    ["started", "b", "a", "no-name"],
    ["b", "text", "Deeper."],
    ["b", "tokens", 7],
    ["ended", "b", "seen", false],
    ["a", "tool", ""],
    ["a", "tokens", 20],
    ["ended", "a", "It leaks.", false],
    ["own", "tool", ""],
    ["own", "tokens", 100],
    ["own", "tokens", 13],
  ]);
});

test("S5 a subagent in the background goes on after its call, and one whose agent died is cut off", () => {
  const writes = play(
    call("a", { run_in_background: true }),
    over("a", "It was started."),
    message("I look.", "a"),
    call("b", {}, "a"),
    usage(5, "s1", "a"),
  );
  expect(writes).toEqual([
    ["own", "tool", ""],
    ["started", "a", "own", "subagent"],
    ["a", "text", "I look."],
    ["a", "tool", ""],
    ["a", "tokens", 5],
    ["ended", "a", "I look.", true],
  ]);
});

test("W9 figures that shrink take nothing away, and what comes late belongs to the agent itself", () => {
  const writes = play(
    call("a", {}),
    usage(50, "m1"),
    message("x", "a"),
    over("a", "done"),
    usage(9, "s9", "a"),
    { type: "usage", of: "session", input_tokens: 40, output_tokens: 0 },
    { type: "result", failed: false, text: "", denied: [] },
  );
  expect(writes.filter(([, kind]) => kind === "tokens")).toEqual([["own", "tokens", 50]]);
});
