import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { EngineEvent } from "../../contract/engine.ts";
import type { Refusal } from "../conversation.ts";
import type { Fields } from "../read-fields.ts";
import { AcpConversation, type AcpManners, type AcpOpening } from "./conversation.ts";

const queueing: AcpManners = { send: "queues", denial: "goes_on", countsRound: true };
const joining: AcpManners = { ...queueing, send: "joins" };

/** An agent that was told to begin, and answers as the test says. */
class Talk {
  readonly written: Fields[] = [];
  readonly conversation: AcpConversation;
  refusal: Refusal | undefined;

  constructor(opening: Partial<AcpOpening> = {}, manners = queueing) {
    const whole = { prompt: "Mend the roof.", folder: "/repo", modes: ["work", "default"], ...opening };
    this.conversation = new AcpConversation(whole, manners, (text) => {
      if (this.refusal !== undefined) return this.refusal;
      if (text.indexOf("\n") !== text.length - 1) throw new Error(`this is not one line: ${text}`);
      this.written.push(JSON.parse(text) as Fields);
      return undefined;
    });
    this.conversation.begin();
  }

  get methods(): unknown[] {
    return this.written.map(({ method }) => method);
  }

  read(line: object): EngineEvent[] {
    return this.conversation.read(JSON.stringify({ jsonrpc: "2.0", ...line }));
  }

  /** Answers the last request of this method. */
  answer(method: string, result: object): EngineEvent[] {
    return this.read({ id: this.written.findLast((line) => line.method === method)!.id, result });
  }

  update(update: object, sessionId = "s-1"): EngineEvent[] {
    return this.read({ method: "session/update", params: { sessionId, update } });
  }

  say(text: string): EngineEvent[] {
    return this.update({ sessionUpdate: "agent_message_chunk", content: { type: "text", text } });
  }

  ask(toolCall: object, id: string | number = 7): EngineEvent[] {
    const options = [
      { optionId: "yes", name: "Yes", kind: "allow_once" },
      { optionId: "no", kind: "reject_once" },
      { optionId: "odd", name: "Odd", kind: "perhaps" },
    ];
    return this.read({ id, method: "session/request_permission", params: { sessionId: "s-1", toolCall, options } });
  }
}

const initialized = { protocolVersion: 1, agentCapabilities: { loadSession: true, mcpCapabilities: { http: true } } };

function opened(opening: Partial<AcpOpening> = {}, manners = queueing): Talk {
  const talk = new Talk({ modes: [], ...opening }, manners);
  talk.answer("initialize", initialized);
  talk.answer("session/new", { sessionId: "s-1" });
  return talk;
}

const failure = (text: string): object => ({ type: "result", failed: true, text, denied: [] });

describe("W2 a session begins", () => {
  test("W2 H9 handshake, session, mode, prompt: each after the answer before it", () => {
    const talk = new Talk({ mcpServers: [{ name: "clew" }] });
    expect(talk.written).toEqual([
      {
        jsonrpc: "2.0",
        id: 0,
        method: "initialize",
        params: {
          protocolVersion: 1,
          clientCapabilities: { fs: { readTextFile: false, writeTextFile: false }, terminal: false },
          clientInfo: { name: "clew", title: "Clew", version: expect.any(String) as string },
        },
      },
    ]);
    expect(talk.answer("initialize", initialized)).toEqual([]);
    expect(talk.written[1]).toMatchObject({
      method: "session/new",
      params: { cwd: "/repo", mcpServers: [{ name: "clew" }] },
    });
    const modes = { availableModes: [{ id: "default" }, { id: "yolo" }], currentModeId: "yolo" };
    const models = { currentModelId: "m-1" };
    expect(talk.answer("session/new", { sessionId: "s-1", modes, models })).toEqual([
      { type: "init", engine_session: "s-1", model: "m-1" },
    ]);
    expect(talk.written[2]).toMatchObject({
      method: "session/set_mode",
      params: { sessionId: "s-1", modeId: "default" },
    });
    expect(talk.answer("session/set_mode", {})).toEqual([]);
    expect(talk.written[3]).toMatchObject({
      method: "session/prompt",
      params: { sessionId: "s-1", prompt: [{ type: "text", text: "Mend the roof." }] },
    });
  });

  test("W2 an agent without modes stays as it is; its newer way to list them counts, too", () => {
    expect(opened().methods).toEqual(["initialize", "session/new", "session/prompt"]);
    const talk = new Talk();
    talk.answer("initialize", initialized);
    const configOptions = [{ id: "mode", category: "mode", options: [{ value: "work" }] }];
    talk.answer("session/new", { sessionId: "s-1", configOptions });
    expect(talk.written.at(-1)).toMatchObject({ method: "session/set_mode", params: { modeId: "work" } });
  });

  test("W2 a model is asked for by what the agent has for it", () => {
    const choose = (session: object): [Talk, EngineEvent[]] => {
      const talk = new Talk({ modes: [], model: "big" });
      talk.answer("initialize", initialized);
      return [talk, talk.answer("session/new", { sessionId: "s-1", ...session })];
    };
    const [older] = choose({ models: { availableModels: [{ modelId: "big" }] } });
    expect(older.written.at(-1)).toMatchObject({ method: "session/set_model", params: { modelId: "big" } });
    const option = { id: "m", category: "model", currentValue: "small", options: [{ value: "big" }] };
    const [newer] = choose({ configOptions: [option] });
    const params = { sessionId: "s-1", configId: "m", value: "big" };
    expect(newer.written.at(-1)).toMatchObject({ method: "session/set_config_option", params });
    const [without, events] = choose({ models: { availableModels: [{ modelId: "small" }] } });
    expect(events).toEqual([failure("it has no model big; it has small")]);
    expect(without.methods).not.toContain("session/prompt");
    expect(choose({})[1]).toEqual([failure("it has no model big")]);
  });

  test("W2 it goes on with an earlier session; what that one said is not said again", () => {
    const talk = new Talk({ modes: [], resume: "s-1" });
    talk.answer("initialize", initialized);
    const params = { sessionId: "s-1", cwd: "/repo", mcpServers: [] };
    expect(talk.written.at(-1)).toMatchObject({ method: "session/load", params });
    expect(talk.say("from before")).toEqual([]);
    expect(talk.answer("session/load", {})).toEqual([{ type: "init", engine_session: "s-1" }]);
    talk.say("new");
    expect(talk.answer("session/prompt", { stopReason: "end_turn" })).toEqual([
      { type: "message", text: "new" },
      { type: "result", failed: false, text: "new", denied: [] },
    ]);
  });

  test("W2 an agent that still repeats the earlier session gets its prompt when it is silent", () => {
    const talk = new Talk({ resume: "s-1" });
    talk.answer("initialize", initialized);
    talk.answer("session/load", { modes: { availableModes: [{ id: "default" }] } });
    talk.say("from before");
    talk.say("[MODE_UPDATE] default");
    expect(talk.answer("session/set_mode", {})).toEqual([]);
    talk.say("[MODE_UPDATE] default");
    talk.answer("session/set_mode", {});
    expect(talk.methods.slice(2)).toEqual(["session/set_mode", "session/set_mode", "session/prompt"]);
  });

  test("W2 an agent that is never silent gets its prompt all the same", () => {
    const talk = new Talk({ resume: "s-1" });
    talk.answer("initialize", initialized);
    talk.answer("session/load", { modes: { availableModes: [{ id: "default" }] } });
    while (talk.methods.at(-1) === "session/set_mode") {
      talk.say("from before");
      talk.answer("session/set_mode", {});
    }
    expect(talk.methods.filter((method) => method === "session/set_mode")).toHaveLength(101);
    expect(talk.methods.at(-1)).toBe("session/prompt");
  });

  test("W2 what cannot begin says why, and takes no messages", () => {
    const unable = new Talk({ resume: "s-1" });
    expect(unable.answer("initialize", { protocolVersion: 1 })).toEqual([
      failure("it cannot go on with an earlier session: start a new one"),
    ]);
    expect(unable.conversation.send("more")).toBe("closed");
    expect(new Talk().answer("initialize", { protocolVersion: 2 })).toEqual([
      failure("it speaks version 2 of ACP; Clew speaks version 1"),
    ]);
    const nameless = new Talk();
    nameless.answer("initialize", initialized);
    expect(nameless.answer("session/new", {})).toEqual([failure("it began a session without an id")]);
    const loggedOut = new Talk();
    loggedOut.answer("initialize", initialized);
    const error = { code: -32_000, message: "Authentication required" };
    expect(loggedOut.read({ id: 1, error })).toEqual([
      failure("session/new: it is not logged in (Authentication required)"),
    ]);
    const details = { code: -32_603, message: "Internal error", data: { details: "No sessions." } };
    expect(new Talk().read({ id: 0, error: details })).toEqual([failure("initialize: Internal error: No sessions.")]);
  });
});

describe("H9 messages", () => {
  test("H9 where a prompt would end the round, a message waits for its end", () => {
    const talk = new Talk({ modes: [] });
    talk.conversation.send("before it began");
    talk.answer("initialize", initialized);
    talk.answer("session/new", { sessionId: "s-1" });
    talk.conversation.send("later");
    const prompts = (): unknown[] => talk.written.filter(({ method }) => method === "session/prompt");
    expect(prompts()).toHaveLength(1);
    expect(talk.answer("session/prompt", { stopReason: "end_turn" })).toHaveLength(1);
    expect(prompts().at(-1)).toMatchObject({ params: { prompt: [{ text: "before it began" }] } });
    talk.answer("session/prompt", { stopReason: "end_turn" });
    expect(prompts().at(-1)).toMatchObject({ params: { prompt: [{ text: "later" }] } });
    talk.answer("session/prompt", { stopReason: "end_turn" });
    expect(prompts()).toHaveLength(3);
    expect(talk.conversation.send("at rest")).toBeUndefined();
    expect(prompts()).toHaveLength(4);
  });

  test("H9 where a prompt joins, it is given at once, and the round has one result", () => {
    const talk = opened({}, joining);
    talk.conversation.send("more");
    const [first, second] = talk.written.filter(({ method }) => method === "session/prompt");
    expect(talk.read({ id: first!.id, result: { stopReason: "end_turn" } })).toEqual([]);
    expect(talk.read({ id: second!.id, result: { stopReason: "end_turn" } })).toHaveLength(1);
  });

  test("H9 messages have a limit, and what is not taken is told", () => {
    const talk = opened();
    const refusals = Array.from({ length: 101 }, () => talk.conversation.send("x"));
    expect(refusals.indexOf("full")).toBe(100);
    const closed = opened({}, joining);
    closed.refusal = "closed";
    expect(closed.conversation.send("x")).toBe("closed");
    expect(closed.conversation.interrupt()).toBe("closed");
  });

  test("H9 an interrupt: what waits is dropped, open permissions are answered, the next message works", () => {
    const talk = opened();
    talk.conversation.send("dropped");
    talk.ask({ toolCallId: "t-1", kind: "execute", title: "ls" });
    talk.conversation.interrupt();
    expect(talk.written.slice(-2)).toEqual([
      { jsonrpc: "2.0", method: "session/cancel", params: { sessionId: "s-1" } },
      { jsonrpc: "2.0", id: 7, result: { outcome: { outcome: "cancelled" } } },
    ]);
    expect(talk.ask({ toolCallId: "t-2" }, 8)).toEqual([]);
    expect(talk.written.at(-1)).toMatchObject({ id: 8, result: { outcome: { outcome: "cancelled" } } });
    expect(talk.answer("session/prompt", { stopReason: "cancelled" })).toEqual([
      { type: "tool_result", id: "t-1", output: "The round ended before it did.", failed: true },
      failure("it was interrupted"),
    ]);
    talk.conversation.send("next");
    expect(talk.written.at(-1)).toMatchObject({ params: { prompt: [{ text: "next" }] } });
  });

  test("H9 an interrupt before the session began keeps the prompt back", () => {
    const talk = new Talk({ modes: [] });
    expect(talk.conversation.interrupt()).toBeUndefined();
    talk.answer("initialize", initialized);
    expect(talk.answer("session/new", { sessionId: "s-1" }).at(-1)).toEqual(failure("it was interrupted"));
    expect(talk.methods).toEqual(["initialize", "session/new"]);
  });
});

describe("W4 a round", () => {
  test("W4 why it ended, in words", () => {
    const reasons = ["refusal", "max_tokens", "max_turn_requests", "new_reason", undefined];
    const texts = reasons.map((stopReason) => opened().answer("session/prompt", { stopReason }).at(-1));
    expect(texts).toEqual([
      { ...failure("the model refused to go on"), stop: "refusal" },
      { ...failure("the model's answer became too long: it reached its limit of tokens"), stop: "max_tokens" },
      failure("it reached its limit of requests to the model in one round"),
      failure("new_reason"),
      failure("it ended its round without saying why"),
    ]);
  });

  test("W4 tokens: cached ones count, whether the agent adds them or not", () => {
    const usageOf = (answer: object): EngineEvent | undefined =>
      opened()
        .answer("session/prompt", { stopReason: "end_turn", ...answer })
        .find(({ type }) => type === "usage");
    const counts = { inputTokens: 500, outputTokens: 30, cachedReadTokens: 1000 };
    const usage = { type: "usage", of: "message", cached_input_tokens: 1000, output_tokens: 30 };
    expect(usageOf({ usage: { ...counts, totalTokens: 1530 } })).toEqual({ ...usage, input_tokens: 1500 });
    expect(usageOf({ usage: { ...counts, totalTokens: 530 } })).toEqual({ ...usage, input_tokens: 500 });
    expect(usageOf({ usage: { inputTokens: 0, outputTokens: 0, totalTokens: 0 } })).toBeUndefined();
  });

  test("W4 pieces of another message, another session and unknown updates", () => {
    const talk = opened();
    const piece = (text: string, messageId: string): EngineEvent[] =>
      talk.update({ sessionUpdate: "agent_message_chunk", messageId, content: { type: "text", text } });
    piece("one", "a");
    expect(piece("two", "b")).toEqual([
      { type: "message", text: "one", message_id: "a" },
      { type: "delta", of: "message", text: "two", message_id: "b" },
    ]);
    const other = { sessionUpdate: "agent_message_chunk", content: { type: "text", text: "x" } };
    expect(talk.update(other, "s-2")).toEqual([]);
    expect(talk.update({ sessionUpdate: "plan", entries: [] })).toEqual([]);
    const picture = { sessionUpdate: "agent_message_chunk", messageId: "b", content: { type: "image", data: "…" } };
    expect(talk.update(picture)).toEqual([{ type: "delta", of: "message", text: "[image]", message_id: "b" }]);
    expect(talk.conversation.end()).toEqual([{ type: "message", text: "two[image]", message_id: "b" }]);
  });

  test("W4 a message without end is told in parts", () => {
    const talk = opened();
    const events = [talk.say("a".repeat(900_000)), talk.say("b".repeat(900_000))].flat();
    expect(events.map(({ type }) => type)).toEqual(["delta", "message", "delta"]);
  });

  test("H9 a permission under any id is answered, once; a denial is told with the result", () => {
    const talk = opened();
    const [call, permission] = talk.ask({ toolCallId: "t-1", kind: "execute", title: "ls" }, "p-1");
    expect(call).toEqual({ type: "tool_call", id: "t-1", name: "execute", input: { command: "ls" } });
    expect(permission).toEqual({
      type: "permission",
      id: "p-1",
      tool: "execute",
      input: { command: "ls" },
      options: [
        { id: "yes", label: "Yes", kind: "allow_once" },
        { id: "no", label: "no", kind: "reject_once" },
      ],
      tool_call: "t-1",
      action: { kind: "run", command: "ls" },
    });
    talk.refusal = "full";
    expect(talk.conversation.answer("p-1", "no")).toBe("full");
    talk.refusal = undefined;
    expect(talk.conversation.answer("p-1", "no")).toBeUndefined();
    expect(talk.conversation.answer("p-1", "no")).toBeUndefined();
    const selected = { outcome: { outcome: "selected", optionId: "no" } };
    expect(talk.written.slice(3)).toEqual([{ jsonrpc: "2.0", id: "p-1", result: selected }]);
    expect(talk.answer("session/prompt", { stopReason: "end_turn" }).at(-1)).toMatchObject({ denied: ["execute"] });
  });

  test('H9 requests 7 and "7" are two, and each is answered under its own id', () => {
    const talk = opened();
    const ids = [7, "7", '"7"'].map((id) => {
      const events = talk.ask({ toolCallId: `t-${id}`, kind: "execute", title: "ls" }, id);
      return (events.find(({ type }) => type === "permission") as { id: string }).id;
    });
    expect(new Set(ids).size).toBe(3);
    for (const id of ids) talk.conversation.answer(id, "yes");
    expect(talk.written.slice(3).map((each) => (each as { id: unknown }).id)).toEqual([7, "7", '"7"']);
  });

  test("H9 a permission without options that are known cannot be asked for", () => {
    const talk = opened();
    expect(talk.read({ id: 7, method: "session/request_permission", params: {} })).toEqual([]);
    expect(talk.written.at(-1)).toMatchObject({ id: 7, result: { outcome: { outcome: "cancelled" } } });
  });

  test("H9 what is not served is refused, so that the agent does not wait for it", () => {
    const talk = opened();
    talk.read({ id: 1, method: "fs/write_text_file", params: { path: "/etc/passwd" } });
    talk.read({ id: 2, method: "craft/drainMidTurnQueue" });
    talk.read({ method: "some/notification" });
    talk.read({ id: 99, result: {} });
    expect(talk.written.slice(3)).toEqual([
      { jsonrpc: "2.0", id: 1, error: { code: -32_601, message: "this client does not take fs/write_text_file" } },
      { jsonrpc: "2.0", id: 2, result: { items: [] } },
    ]);
  });

  test("W4 stray lines are told only when there is no result", () => {
    const talk = opened();
    talk.conversation.read("Loading…");
    expect(talk.conversation.end()).toEqual([{ type: "error", message: "it printed what is no event: Loading…" }]);
    const ended = opened();
    ended.conversation.read("Loading…");
    ended.answer("session/prompt", { stopReason: "end_turn" });
    expect(ended.conversation.end()).toEqual([]);
  });

  test("W4 any line is read without a fault", () => {
    const kinds = ["agent_message_chunk", "agent_thought_chunk", "tool_call", "tool_call_update", "plan", "new"];
    const keys = ["content", "toolCallId", "status", "rawInput", "locations", "title", "kind", "_meta", "messageId"];
    const anything = fc.jsonValue({ maxDepth: 3 });
    const update = fc
      .tuple(fc.constantFrom(...kinds), fc.dictionary(fc.constantFrom(...keys), anything))
      .map(([sessionUpdate, fields]) => ({ ...fields, sessionUpdate }));
    const message = fc.oneof(
      fc.record({ id: fc.nat(5), result: anything }),
      fc.record({ id: fc.nat(5), error: anything }),
      fc.record({
        id: fc.nat(9),
        method: fc.constant("session/request_permission"),
        params: fc.oneof(anything, fc.record({ toolCall: anything, options: anything })),
      }),
      update.map((each) => ({ method: "session/update", params: { sessionId: "s-1", update: each } })),
      anything,
    );
    fc.assert(
      fc.property(fc.array(message, { maxLength: 12 }), fc.string(), (messages, text) => {
        const talk = opened();
        for (const each of messages) talk.conversation.read(JSON.stringify(each));
        talk.conversation.read(text);
        talk.conversation.end();
      }),
    );
  });
});
