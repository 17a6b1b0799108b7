import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { EngineEvent } from "../../contract/engine.ts";
import { createFold } from "../fold.ts";
import type { AcpManners } from "./conversation.ts";
import * as fixture from "./recorded.fixture.ts";

const gemini: AcpManners = { send: "queues", denial: "goes_on", countsRound: true };
const opencode: AcpManners = { send: "joins", denial: "ends_round", countsRound: false };

const fixtures = join(import.meta.dirname, "../../../test/fixtures/engines");
const replay = (agent: string, name: string, manners: AcpManners, modes: string[] = []) =>
  fixture.replay(readFileSync(join(fixtures, `${agent}.acp.jsonl`), "utf8"), name, manners, modes);

const types = (events: EngineEvent[]): string => events.flatMap(({ type }) => (type === "delta" ? [] : type)).join(" ");
const usageAfter = (events: EngineEvent[]): unknown => {
  const fold = createFold();
  events.forEach((event) => fold.add(event));
  return fold.state().usage;
};

describe.each([
  ["gemini", "allow", gemini, []],
  ["gemini", "deny", gemini, []],
  ["gemini", "cancel", gemini, ["yolo"]],
  ["gemini", "error", gemini, ["yolo"]],
  ["opencode", "allow", opencode, []],
  ["opencode", "deny", opencode, []],
  ["opencode", "cancel", opencode, []],
  ["opencode", "error", opencode, []],
  ["opencode", "join", opencode, []],
] as const)("H9 %s, %s", (agent, name, manners, modes) => {
  test("H9 the real program took just these lines", () => {
    const { written, expected } = replay(agent, name, manners, [...modes]);
    const refused = written.filter(({ error }) => error !== undefined);
    // opencode asks for a file to be written for it, though it was told that this is not served.
    expect(refused).toHaveLength(agent === "opencode" && name === "allow" ? 1 : 0);
    const [initialize, ...others] = written.filter(({ error }) => error === undefined);
    expect(initialize).toMatchObject({ id: 0, method: "initialize", params: { protocolVersion: 1 } });
    expect(others).toEqual(expected.slice(1));
  });
});

describe("W4 what Gemini printed", () => {
  test("W4 pieces become whole; a call is told with its permission, and has a result", () => {
    const { events } = replay("gemini", "allow", gemini);
    expect(types(events)).toBe(
      "init thinking message tool_call permission tool_result message tool_call permission tool_result message usage result",
    );
    const call = "write_file__call_a624715229324d53b2416246";
    expect(events.slice(0, 9)).toEqual([
      { type: "init", engine_session: "6c192c9b-2a25-491b-9e53-84ad1cbf5f73", model: "gemini-2.5-pro" },
      { type: "delta", of: "thinking", text: "****\nFirst a file" },
      { type: "delta", of: "thinking", text: "****\n." },
      { type: "thinking", text: "****\nFirst a file****\n." },
      { type: "delta", of: "message", text: "I write the " },
      { type: "delta", of: "message", text: "file." },
      { type: "message", text: "I write the file." },
      {
        type: "tool_call",
        id: call,
        name: "write_file",
        input: { file_path: "/repo/hello.txt", diff: "/repo/hello.txt:\n+hello" },
      },
      {
        type: "permission",
        id: "0",
        tool: "write_file",
        input: { file_path: "/repo/hello.txt", diff: "/repo/hello.txt:\n+hello" },
        options: [
          { id: "proceed_always", label: "Allow for this session", kind: "allow_always" },
          { id: "proceed_once", label: "Allow", kind: "allow_once" },
          { id: "cancel", label: "Reject", kind: "reject_once" },
        ],
        tool_call: call,
        action: { kind: "edit", paths: ["/repo/hello.txt"] },
      },
    ]);
    const command = "echo shell-ran > marker.txt; cat marker.txt";
    expect(events.filter(({ type }) => type === "permission")[1]).toMatchObject({
      tool: "run_shell_command",
      input: { command },
      action: { kind: "run", command },
    });
    expect(events.at(-1)).toEqual({ type: "result", failed: false, text: "All is done.", denied: [] });
    expect(usageAfter(events)).toEqual({ input_tokens: 3700, output_tokens: 120 });
  });

  test("W4 a denied call has a result, though Gemini tells none; the round goes on", () => {
    const { events } = replay("gemini", "deny", gemini);
    const results = events.flatMap((event) => (event.type === "tool_result" ? [[event.output, event.failed]] : []));
    expect(results).toEqual([
      ["It was not allowed.", true],
      ["It was not allowed.", true],
    ]);
    expect(events.at(-1)).toMatchObject({ failed: false, denied: ["write_file", "run_shell_command"] });
  });

  test("W4 an interrupted round fails, the next one goes well; what it said of its mode is no message", () => {
    const { events } = replay("gemini", "cancel", gemini, ["yolo"]);
    expect(events.filter(({ type }) => type === "result")).toEqual([
      { type: "result", failed: true, text: "it was interrupted", denied: [] },
      { type: "result", failed: false, text: "I heard the second message.", denied: [] },
    ]);
    expect(events.flatMap((event) => (event.type === "message" ? event.text : []))).toEqual([
      "I wait.",
      "I heard the second message.",
    ]);
  });

  test("W4 an error of the API, in its words", () => {
    const { events } = replay("gemini", "error", gemini, ["yolo"]);
    const text = "401 UNAUTHENTICATED: API key not valid";
    expect(events.at(-1)).toEqual({ type: "result", failed: true, text, denied: [] });
  });
});

describe("W4 what opencode printed", () => {
  test("W4 a call waits for its input; tokens of a round's last request are not told as all of them", () => {
    const { events } = replay("opencode", "allow", opencode);
    expect(types(events)).toBe(
      "init thinking message tool_call permission tool_result message tool_call permission tool_result message result",
    );
    expect(events.filter(({ type }) => type === "tool_call")).toMatchObject([
      { name: "write", input: { filePath: "/repo/hello.txt", content: "hello\n" } },
      { name: "bash", input: { command: "echo shell-ran > marker.txt; cat marker.txt" } },
    ]);
    expect(events.filter(({ type }) => type === "tool_result")).toMatchObject([
      { output: "Wrote file successfully.", failed: false },
      { name: "bash", output: "shell-ran\n", failed: false },
    ]);
    expect(usageAfter(events)).toBeUndefined();
  });

  test("W4 a denial ends its round: that is no success", () => {
    const { events } = replay("opencode", "deny", opencode);
    expect(events.at(-1)).toEqual({
      type: "result",
      failed: true,
      text: "it ends its round when something is not allowed",
      denied: ["write"],
    });
  });

  test("W4 a message that joins: two answers, one result", () => {
    const { events } = replay("opencode", "join", opencode);
    expect(events.filter(({ type }) => type === "result")).toEqual([
      { type: "result", failed: false, text: "I heard the second message.", denied: [] },
    ]);
  });

  test("W4 an error of the API, in its words", () => {
    const { events } = replay("opencode", "error", opencode);
    expect(events.at(-1)).toMatchObject({ failed: true, text: "Internal error: API key not valid" });
  });
});
