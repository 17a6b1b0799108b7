import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { expect, test } from "vitest";
import type { EngineEvent } from "../contract/engine.ts";
import { AcpConversation } from "./acp/conversation.ts";
import { AnswerText, type Answer } from "./answer-text.ts";
import { createClaudeReader } from "./claude/stream.ts";
import { NotificationReader } from "./codex/notifications.ts";

function answerOf(events: EngineEvent[]): Answer {
  const answer = new AnswerText();
  for (const event of events) answer.add(event);
  return answer.answer;
}

const claude = (...lines: object[]): Answer => {
  const reader = createClaudeReader();
  return answerOf([...lines.flatMap((line) => reader.push(JSON.stringify(line))), ...reader.end()]);
};
const says = (id: string, text: string, model = "claude-opus-5-5"): object => ({
  type: "assistant",
  message: { id, model, role: "assistant", content: [{ type: "text", text }] },
  parent_tool_use_id: null,
});
const success = { type: "result", subtype: "success", is_error: false };

test("T3 all blocks of an answer are its text, each once, also where they come as several lines", () => {
  const delta = { type: "stream_event", event: { delta: { type: "text_delta", text: "# A" } } };
  expect(
    claude(delta, says("m1", "# A `plan`\r\n"), says("m1", "~~~~~~\n"), { ...success, result: "~~~~~~\n" }),
  ).toEqual({ text: "# A `plan`\r\n~~~~~~\n", ended: "complete", isContinued: false });
});

test("T3 what Claude had to go on with is one text, and told", () => {
  const limit = { role: "user", content: [{ type: "text", text: "Output token limit hit. Resume directly." }] };
  const goOn = { type: "user", message: limit, isSynthetic: true };
  expect(claude(says("m1", "Half "), goOn, says("m2", "of it"), { ...success, result: "of it" })).toEqual({
    text: "Half of it",
    ended: "complete",
    isContinued: true,
  });
  const error = "API Error: Claude's response exceeded the output token maximum.";
  const cut = { ...success, is_error: true, api_error: "max_output_tokens", result: error };
  expect(claude(says("m1", "Half "), goOn, says("m2", "of it"), says("m3", error, "<synthetic>"), cut)).toEqual({
    text: "Half of it",
    ended: "cut_off",
    isContinued: true,
    problem: error,
  });
});

test("T3 a refusal of Claude is told, and what was refused before a second try is no part of the answer", () => {
  const again = { role: "user", content: [{ type: "text", text: "Your response above was stopped." }] };
  const secondTry = { type: "user", message: again, isSynthetic: true, refused_message_id: "m1" };
  expect(claude(says("m1", "Half"), secondTry, says("m2", "Else"), { ...success, result: "Else" })).toMatchObject({
    text: "Else",
    ended: "complete",
  });
  const refused = { ...success, is_error: true, stop_reason: "refusal", result: "API Error: flagged" };
  expect(claude(says("m1", "Half"), refused)).toMatchObject({ text: "Half", ended: "refused" });
});

test("T3 Qwen says its answer anew after a retry", () => {
  const retry = (preserveText: boolean): object => ({ type: "system", subtype: "retry", data: { preserveText } });
  expect(
    claude(says("m1", "Half of it"), retry(false), retry(true), says("m2", "Half of it. Done."), {
      ...success,
      result: "Half of it. Done.",
    }),
  ).toEqual({ text: "Half of it. Done.", ended: "complete", isContinued: true });
});

const codex = (...told: [method: string, params: object][]): Answer => {
  const reader = new NotificationReader(false, "/repo");
  reader.thread = "t1";
  return answerOf(told.flatMap(([method, params]) => reader.read(method, { threadId: "t1", ...params })));
};
const item = (text: string, id: string): [string, object] => [
  "item/completed",
  { item: { type: "agentMessage", id, text } },
];

test("T3 an answer of Codex, whole, cut off and asked for again", () => {
  const completed: [string, object] = ["turn/completed", { turn: { id: "u1", status: "completed", items: [] } }];
  expect(codex(item("One. ", "a"), item("Two.", "b"), completed)).toMatchObject({
    text: "One. Two.",
    ended: "complete",
  });
  const failure = (reason: string): [string, object] => [
    "turn/completed",
    { turn: { status: "failed", error: { message: `Incomplete response returned, reason: ${reason}` } } },
  ];
  expect(codex(item("Half", "a"), failure("max_output_tokens"))).toMatchObject({ text: "Half", ended: "cut_off" });
  expect(codex(item("Half", "a"), failure("content_filter"))).toMatchObject({ text: "Half", ended: "refused" });
  const retry: [string, object] = [
    "error",
    { turnId: "u1", willRetry: true, error: { message: "Reconnecting... 1/5" } },
  ];
  expect(codex(item("Half", "a"), retry, item("Whole", "b"), completed)).toMatchObject({ text: "Whole" });
});

test.each([
  ["end_turn", "complete"],
  ["max_tokens", "cut_off"],
  ["refusal", "refused"],
  ["cancelled", "failed"],
])("T3 pieces of an agent of ACP that stopped by %s are one text, even a very long one", (stopReason, ended) => {
  const conversation = new AcpConversation(
    { prompt: "Plan it.", folder: "/tmp", modes: [] },
    { send: "queues", denial: "goes_on", countsRound: false },
    () => undefined,
  );
  conversation.begin();
  const piece = "x".repeat(700_000);
  const chunk = {
    method: "session/update",
    params: {
      sessionId: "s",
      update: { sessionUpdate: "agent_message_chunk", content: { type: "text", text: piece } },
    },
  };
  const lines = [
    { id: 0, result: { protocolVersion: 1, agentCapabilities: {} } },
    { id: 1, result: { sessionId: "s" } },
    chunk,
    chunk,
    chunk,
    { id: 2, result: { stopReason } },
  ];
  const answer = answerOf(lines.flatMap((line) => conversation.read(JSON.stringify(line))));
  expect(answer.ended).toBe(ended);
  expect(answer.text).toBe(piece.repeat(3));
});

test("T3 without a result an answer is open, and without a word it has failed", () => {
  expect(claude(says("m1", "Half"))).toMatchObject({ text: "Half", ended: "open" });
  expect(claude({ ...success, result: "" })).toMatchObject({ text: "", ended: "failed" });
});

test.each(["claude", "qwen"])("T3 of a recorded conversation of %s, the words after the last call count", (engine) => {
  const file = resolve(import.meta.dirname, `../../test/fixtures/engines/${engine}/one-shot.jsonl`);
  const lines = readFileSync(file, "utf8").trim().split("\n");
  const told = lines.map((line) => JSON.parse(line) as { dir: string; line: object });
  const printed = told.filter(({ dir }) => dir === "out").map(({ line }) => line);
  expect(claude(...printed)).toMatchObject({ text: "All is done.", ended: "complete" });
});
