import { expect, test } from "vitest";
import type { ResultEvent } from "../contract/engine.ts";
import type { Json } from "../contract/json.ts";
import { judge, type EngineEnd } from "./result-contract.ts";

const exited: EngineEnd = { code: 0, signal: null, stderr: "" };
const ended = (more: Partial<ResultEvent>): ResultEvent => ({
  type: "result",
  failed: false,
  text: "",
  denied: [],
  ...more,
});
const verdict = (more: Partial<ResultEvent>) => judge({ activities: [], result: ended(more) }, exited);

test("G9 a terminal event with a valid result is a success; what else stands in it is left out", () => {
  const structured = { success: true, summary: "done", outputs: { files: ["a"] }, mood: "good" };
  const result = { success: true, summary: "done", outputs: { files: ["a"] } };
  expect(verdict({ structured })).toEqual({ success: true, result });
  const without = { success: true, result: { success: true, summary: "done" } };
  expect(verdict({ structured: { success: true, summary: "done" } })).toEqual(without);
  expect(verdict({ structured: { success: true, summary: "done", outputs: null } })).toEqual(without);
});

test.each([
  '{"success": true, "summary": "done"}',
  '\n  {"success": true,\n "summary": "done"}\n',
  '```json\n{"success": true, "summary": "done"}\n```',
  '```\r\n{"success": true, "summary": "done"}\r\n```\n',
  'I looked at it.\n\n{"success": true, "summary": "done"}',
  'An example is\n{"a": 1}\nand this is it:\n{\n  "success": true,\n  "summary": "done"\n}\n',
  'Done.\n```json\n{"success": true, "summary": "done"}\n```',
  'Before:\n```js\nlet x;\n```\nAfter:\n```json\n{"success": true, "summary": "done"}\n```',
])("G9 an answer that ends in the object: %j", (text) => {
  expect(verdict({ text })).toEqual({ success: true, result: { success: true, summary: "done" } });
});

test.each([
  "All done.",
  "",
  'Here it is: {"success": true, "summary": "done"}',
  '{"success": true, "summary": "done"} {"success": true, "summary": "done"}',
  '[{"success": true, "summary": "done"}]',
  "true",
  '{"success": true, "summary": "done"} That is all.',
])("G9 last words that are not the object fail the step: %j", (text) => {
  const quoted = text === "" ? "" : `, but: ${text}`;
  expect(verdict({ text })).toEqual({
    success: false,
    ...(text !== "" && { words: text }),
    error: `its result is not the JSON object that was asked for${quoted}`,
  });
});

test.each<[Json, string]>([
  [{ summary: "done" }, "has no success: true or false"],
  [{ success: "true", summary: "done" }, "has no success: true or false"],
  [{ success: true }, "has no summary"],
  [{ success: true, summary: " \n" }, "has no summary"],
  [{ success: true, summary: 5 }, "has no summary"],
  [{ success: true, summary: "done", outputs: ["a"] }, "has outputs that are no object"],
  [{ success: true, summary: "done", outputs: "a" }, "has outputs that are no object"],
  [["done"], "is no JSON object"],
  ["done", "is no JSON object"],
])("G9 an invalid result fails the step: %j", (structured, words) => {
  expect(verdict({ structured })).toEqual({ success: false, error: `its result ${words}` });
});

test("G9 of an agent without a result, what it said last is kept; an engine's own error is not its words", () => {
  const message = "I could not find it.";
  expect(judge({ activities: [], message }, exited)).toMatchObject({ success: false, words: message });
  const result: ResultEvent = { type: "result", failed: true, text: "API Error", denied: [] };
  expect(judge({ activities: [], message, result }, exited)).toMatchObject({ success: false, words: message });
  expect(judge({ activities: [], result }, exited)).not.toHaveProperty("words");
});

test("G9 an agent that could not do it fails the step, and its result is kept", () => {
  const structured = { success: false, summary: "no key", outputs: { tried: 2 } };
  expect(verdict({ structured, denied: ["Bash"] })).toEqual({
    success: false,
    result: structured,
    error: "the agent could not do it: no key (it was not allowed to use Bash)",
  });
});

test("G9 an engine's error fails the step, also beside a good result", () => {
  const structured = { success: true, summary: "done" };
  expect(verdict({ failed: true, text: "API Error: 529\nOverloaded", structured })).toEqual({
    success: false,
    error: "the engine said: API Error: 529 Overloaded",
  });
  expect(verdict({ failed: true, denied: ["Bash", "Write"] })).toEqual({
    success: false,
    error: "the engine said: nothing (it was not allowed to use Bash, Write)",
  });
});

test("G9 without a terminal event nothing was done, whatever the exit code", () => {
  const activities = [{ kind: "tool" as const, text: "Bash npm test" }];
  expect(judge({ activities: [] }, exited)).toEqual({
    success: false,
    error: "the engine ended without a result (exit code 0)",
  });
  expect(judge({ activities }, { code: null, signal: "SIGKILL", stderr: "" })).toEqual({
    success: false,
    error: "the engine ended without a result (ended by SIGKILL); it was last seen at: Bash npm test",
  });
  expect(judge({ activities: [] }, { code: 1, signal: null, stderr: "not logged in\n" })).toEqual({
    success: false,
    error: "the engine ended without a result (exit code 1): not logged in",
  });
  const long = judge({ activities: [], error: `${"x".repeat(1000)} because` }, exited);
  expect(long).toMatchObject({ error: expect.stringMatching(/^the engine ended .*: …x+ because$/) as string });
});

test("H7 a call of submit_result that failed is told, unless a result came all the same", () => {
  const state = { activities: [], result: ended({ text: "That is all." }) };
  expect(judge(state, exited, { failure: "connection refused" })).toEqual({
    success: false,
    words: "That is all.",
    error:
      "its call of submit_result failed (connection refused), and its result is not the JSON object that was asked for, but: That is all.",
  });
  const said = { activities: [], result: ended({ text: '{"success": true, "summary": "done"}' }) };
  expect(judge(said, exited, { failure: "connection refused" })).toMatchObject({ success: true });
});
