import { mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeEach, describe, expect, test } from "vitest";
import type { EngineEvent, PermissionEvent } from "../../contract/engine.ts";
import { ended, play, start } from "./live-agent.fixture.ts";
import { goodResult, printed, secretValue, shellEngine } from "./perform.fixture.ts";

let place: string;

beforeEach(() => {
  place = realpathSync(mkdtempSync(join(tmpdir(), "clew-live-")));
  return () => rmSync(place, { recursive: true });
});

const done = { success: true, summary: "done" };
const texts = (events: EngineEvent[]): string[] =>
  events.flatMap((event) => (event.type === "message" ? event.text : []));
const results = (events: EngineEvent[]): [string, boolean][] =>
  events.flatMap((event) => (event.type === "tool_result" ? [[event.output, event.failed]] : []));

describe("H9 a live agent", () => {
  test("H9 W4 its events come in order, after their line is in the transcript, and tell what it is at", async () => {
    const types: string[] = [];
    const lines: number[] = [];
    const live = play(
      place,
      [{ think: "hm", say: "I look", run: "echo seen", usage: { input: 3, output: 1 } }, { result: done }],
      {
        until: "result",
        onEvent(event) {
          types.push(event.type);
          lines.push(live.transcript().trimEnd().split("\n").length);
          if (event.type === "tool_call") expect(live.agent.current).toEqual({ kind: "tool", text: "Bash echo seen" });
        },
      },
    );
    expect(live.agent.id).toBe("agent-1");
    expect(live.agent.current).toBeUndefined();
    const end = await ended(live);
    expect(types.join(" ")).toBe("init thinking usage message tool_call tool_result usage usage result");
    // Several lines may have come at once.
    const printedBefore = [1, 2, 2, 3, 4, 5, 6, 7, 7];
    expect(lines.map((count, at) => Math.min(count, printedBefore[at]!))).toEqual(printedBefore);
    expect(end).toEqual({
      outcome: "completed",
      verdict: { success: true, result: done },
      exitCode: 0,
      usage: { input_tokens: 3, output_tokens: 1 },
      rounds: 2,
    });
    expect(live.agent.activities.map(({ kind }) => kind)).toEqual(["thinking", "text", "tool", "result"]);
    expect(live.agent.current).toBeUndefined();
    expect(live.agent.usage).toEqual(end.usage);
  });

  test("H9 W2 send: further messages play the turns whose text they hold, in one session; stop ends it well", async () => {
    const live = play(place, [
      { say: "first", usage: { input: 1, output: 1 } },
      { when: "second", say: "again", usage: { input: 10, output: 10 } },
    ]);
    await live.seen("result");
    expect(live.agent.current).toBeUndefined();
    live.agent.send("a second one");
    await live.seen("result", 2);
    live.agent.send("nothing fits");
    expect(await live.seen("result", 3)).toMatchObject({ failed: true, text: "no turn of the script fits the prompt" });
    live.agent.send("second, at last");
    await live.seen("result", 4);
    live.agent.stop();
    expect(await ended(live)).toMatchObject({
      outcome: "completed",
      exitCode: 0,
      usage: { input_tokens: 21, output_tokens: 21 },
    });
    expect(texts(live.events)).toEqual(["first", "again", "again"]);
    expect(live.events.filter(({ type }) => type === "init")).toHaveLength(1);
  });

  test("H9 messages before it began and while it works are played in their turn", async () => {
    const live = play(place, [{ say: "first", delay_ms: 50 }, ...["b", "c"].map((when) => ({ when, say: when }))]);
    live.agent.send("b");
    await live.seen("message");
    live.agent.send("c");
    await live.seen("result", 3);
    live.agent.stop();
    expect((await ended(live)).outcome).toBe("completed");
    expect(texts(live.events)).toEqual(["first", "b", "c"]);
  });

  test("W2 resuming keeps the engine's session", async () => {
    const live = play(place, [{ result: done }], { resume: "session-7", until: "result" });
    expect((await ended(live)).outcome).toBe("completed");
    expect(live.events[0]).toMatchObject({ type: "init", engine_session: "session-7" });
  });

  test("H9 an agent that has ended, or is about to, takes no messages", async () => {
    const live = play(place, [{ say: "x" }]);
    await live.seen("result");
    live.agent.stop();
    expect(() => live.agent.send("more")).toThrow("has ended, or is about to");
    await ended(live);
    expect(() => live.agent.send("more")).toThrow("has ended, or is about to");
    live.agent.stop();
    live.agent.kill();
  });
});

describe("H9 permissions", () => {
  const turns = [{ ask: { tool: "Bash", input: { command: "rm roof" } }, run: "touch gone" }, { result: done }];

  test.each([
    ["allow", true],
    ["deny", false],
  ])("H9 answer %s", async (option, allowed) => {
    const live = play(place, turns);
    const permission: PermissionEvent = await live.seen("permission");
    const call = live.events.find((event) => event.type === "tool_call");
    expect(permission).toMatchObject({ tool: "Bash", input: { command: "rm roof" }, tool_call: call?.id });
    expect(live.agent.current).toEqual({ kind: "tool", text: "Bash waits for permission" });
    expect(() => live.agent.answer("another", option)).toThrow("does not wait for the permission another");
    expect(() => live.agent.answer(permission.id, "perhaps")).toThrow("has no option perhaps");
    live.agent.answer(permission.id, option);
    expect(() => live.agent.answer(permission.id, option)).toThrow("does not wait for the permission");
    expect(await live.seen("result")).toMatchObject({ failed: false, denied: allowed ? [] : ["Bash"] });
    live.agent.stop();
    expect((await ended(live)).verdict.success).toBe(true);
    const answered = allowed ? ["allowed", false] : ["It was not allowed.", true];
    expect(results(live.events)).toEqual(allowed ? [answered, ["", false]] : [answered]);
    expect(readdirSync(place).includes("gone")).toBe(allowed);
  });

  test("D7 an answer gives the input back as it was, though nobody was told the secret in it", async () => {
    const request = { subtype: "can_use_tool", tool_name: "Log-in", input: { with: secretValue } };
    const asked = printed({ type: "control_request", request_id: "r", request });
    const live = start(
      place,
      shellEngine(`read -r prompt; ${asked}; read -r answer; echo "$answer" >answer; ${goodResult}`),
    );
    const permission = await live.seen("permission");
    live.agent.answer(permission.id, "allow");
    expect((await ended(live)).outcome).toBe("completed");
    expect(JSON.stringify(live.events) + live.transcript()).not.toContain(secretValue);
    expect(JSON.parse(readFileSync(join(place, "answer"), "utf8"))).toEqual({
      type: "control_response",
      response: {
        subtype: "success",
        request_id: "r",
        response: { behavior: "allow", updatedInput: { with: secretValue } },
      },
    });
  });
});
