import { expect, test } from "vitest";
import type { EngineEvent } from "../contract/engine.ts";
import { AgentEntries } from "./session-entries.ts";

test("S4 an agent's events as entries: words, calls with their results, errors; calls without a result at the end", () => {
  const events: EngineEvent[] = [
    { type: "init", model: "opus" },
    { type: "thinking", text: "hm" },
    { type: "message", text: "I look." },
    { type: "message", text: " " },
    { type: "tool_call", id: "1", name: "Read file", input: { file_path: "a.ts", limit: 3 } },
    { type: "tool_call", id: "2", name: "Bash", input: { command: "npm test" } },
    { type: "tool_result", id: "1", output: "3 lines", failed: false },
    { type: "tool_result", id: "9", name: "Grep", output: "none", failed: true },
    { type: "tool_result", id: "8", output: "", failed: false },
    { type: "error", message: "overloaded" },
    { type: "result", failed: false, text: "done", denied: [] },
  ];
  const entries = new AgentEntries();
  expect(events.flatMap((event) => entries.add(event))).toEqual([
    { kind: "text", text: "I look." },
    { kind: "tool", name: "Read-file", args: 'a.ts {"limit":3}', result: "3 lines", failed: false },
    { kind: "tool", name: "Grep", args: "", result: "none", failed: true },
    { kind: "tool", name: "tool", args: "", result: "", failed: false },
    { kind: "error", text: "overloaded" },
  ]);
  expect(entries.model).toBe("opus");
  expect(entries.end()).toEqual([{ kind: "tool", name: "Bash", args: "npm test", failed: false }]);
  expect(entries.end()).toEqual([]);
  entries.add({ type: "init", model: "no name (of one)" });
  expect(entries.model).toBeUndefined();
});
