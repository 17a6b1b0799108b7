import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Refusal } from "../conversation.ts";
import type { Fields } from "../read-fields.ts";
import { CodexConversation } from "./conversation.ts";
import { atWork, recording, replay, talk, type Talk } from "../../../test/support/codex-replay.ts";
import { codexResultSchema } from "./result-form.ts";

const thread = { result: { thread: { id: "t-1" }, model: "gpt-5.5" } };
const turn = (id: string): Fields => ({ result: { turn: { id, status: "inProgress" } } });
const completed = (id: string, status = "completed"): Fields => ({
  method: "turn/completed",
  params: { threadId: "t-1", turn: { id, status, items: [], error: null } },
});
const methods = ({ written }: Talk): unknown[] => written.map(({ method }) => method);

describe("H9 how Codex is begun", () => {
  test("H9 the handshake, the thread, then the prompt; each waits for the answer before it", () => {
    const begun = talk({ until: "result", thread: { sandbox: "read-only", approvalPolicy: "on-request" } });
    expect(methods(begun)).toEqual(["initialize"]);
    begun.reply("initialize", { result: {} });
    expect(methods(begun)).toEqual(["initialize", "initialized", "thread/start"]);
    expect(begun.written[2]!.params).toEqual({ cwd: "/repo", sandbox: "read-only", approvalPolicy: "on-request" });
    expect(begun.reply("thread/start", thread)).toEqual([{ type: "init", engine_session: "t-1", model: "gpt-5.5" }]);
    expect(begun.written[3]).toMatchObject({
      method: "turn/start",
      params: {
        threadId: "t-1",
        input: [{ type: "text", text: "do the scripted thing" }],
        outputSchema: codexResultSchema,
      },
    });
  });

  test("H9 a schema is asked for only where a result is; pieces come only where somebody talks with it", () => {
    const answering = atWork({ until: "answer" });
    expect(answering.written[3]!.params).not.toHaveProperty("outputSchema");
    const optedOut = ({ written }: Talk): string => JSON.stringify(written[0]);
    expect(optedOut(answering)).toContain("item/agentMessage/delta");
    expect(optedOut(atWork({ until: "talk" }))).not.toContain("item/agentMessage/delta");
  });

  test("H9 a session that cannot go on is a failed result, and takes no messages", () => {
    const begun = talk({ resume: "t-0" });
    begun.reply("initialize", { result: {} });
    expect(begun.written[2]).toMatchObject({
      method: "thread/resume",
      params: { threadId: "t-0", excludeTurns: true },
    });
    const error = { code: -32_600, message: "no rollout found for thread id t-0" };
    expect(begun.reply("thread/resume", { error })).toEqual([
      {
        type: "result",
        failed: true,
        text: "Codex could not go on with thread t-0: no rollout found for thread id t-0",
        denied: [],
      },
    ]);
    expect(begun.conversation.send("more")).toBe("closed");
  });

  test.each([
    ["initialize", "Codex could not be initialised: no"],
    ["thread/start", "Codex could not start a thread: no"],
    ["turn/start", "Codex could not begin a turn: no"],
  ])("H9 a refused %s is a failed result", (method, text) => {
    const begun = talk();
    if (method !== "initialize") begun.reply("initialize", { result: {} });
    if (method === "turn/start") begun.reply("thread/start", thread);
    expect(begun.reply(method, { error: { code: -1, message: "no" } })).toMatchObject([{ failed: true, text }]);
  });

  test("H9 a thread without an id is none", () => {
    const begun = talk();
    begun.reply("initialize", { result: {} });
    expect(begun.reply("thread/start", { result: {} })).toMatchObject([
      { failed: true, text: "Codex could not start a thread: it gave no reason" },
    ]);
  });
});

describe("H9 further messages to Codex", () => {
  test("H9 what is said before the turn has begun joins it", () => {
    const begun = talk();
    begun.conversation.send("two");
    begun.reply("initialize", { result: {} });
    begun.reply("thread/start", thread);
    begun.conversation.send("three");
    expect(begun.written[3]!.params).toMatchObject({ input: [{ text: "do the scripted thing" }, { text: "two" }] });
    expect(begun.written).toHaveLength(4);
    begun.reply("turn/start", turn("u-1"));
    expect(begun.written[4]).toMatchObject({
      method: "turn/steer",
      params: { threadId: "t-1", expectedTurnId: "u-1", input: [{ type: "text", text: "three" }] },
    });
  });

  test("H9 recorded: a message joins; one that comes too late begins a turn of its own", () => {
    const { written, conversation, events, reply } = replay("a message joins; another comes too late");
    expect(written.map(({ method }) => method).slice(3)).toEqual(["turn/start", "turn/steer", "turn/start"]);
    expect(events.filter(({ type }) => type === "message").at(-1)).toMatchObject({
      text: "I heard the second message.",
    });
    // Here the recorded client steered a turn that was over.
    expect(written.at(-1)).toMatchObject({ params: { input: [{ text: "late" }] } });
    expect(reply("turn/start", turn("u-9"))).toEqual([]);
    expect(conversation.send("more")).toBeUndefined();
    expect(written.at(-1)).toMatchObject({ method: "turn/steer", params: { expectedTurnId: "u-9" } });
  });

  test.each([
    ["before the turn's end is told", true],
    ["after it", false],
  ])("H9 a steer that is refused %s is not lost", (_, isBefore) => {
    const begun = atWork();
    begun.conversation.send("late");
    const error = { code: -32_600, message: "no active turn to steer" };
    if (!isBefore) begun.hear(completed("u-1"));
    begun.reply("turn/steer", { error });
    if (isBefore) begun.hear(completed("u-1"));
    expect(begun.written.slice(5)).toMatchObject([{ method: "turn/start", params: { input: [{ text: "late" }] } }]);
  });

  test("H9 what cannot be written is told", () => {
    let refusal: Refusal | undefined;
    const begun = atWork();
    const full = new CodexConversation({ prompt: "one", folder: "/repo", thread: {}, until: "talk" }, () => refusal);
    full.begin();
    full.read('{"id":0,"result":{}}');
    full.read('{"id":1,"result":{"thread":{"id":"t-1"}}}');
    full.read('{"id":2,"result":{"turn":{"id":"u-1"}}}');
    refusal = "full";
    expect(full.send("two")).toBe("full");
    full.read(JSON.stringify(completed("u-1")));
    expect(full.send("three")).toBe("full");
    refusal = undefined;
    expect(full.send("four")).toBeUndefined();
    expect(begun.conversation.answer("no such permission", "accept")).toBeUndefined();
  });
});

describe("H9 an interrupt of Codex", () => {
  test("H9 recorded: the turn ends as interrupted, and another can begin", () => {
    const { events, written } = replay("an interrupt, then another turn");
    expect(written.map(({ method }) => method).slice(3)).toEqual(["turn/start", "turn/interrupt", "turn/start"]);
    expect(events.filter(({ type }) => type === "result")).toMatchObject([
      { failed: true, text: "it was interrupted" },
      { failed: false, text: "I heard the second message." },
    ]);
  });

  test("H9 one that comes before the turn has a name waits for it; one at rest does nothing", () => {
    const begun = talk();
    begun.conversation.interrupt();
    begun.reply("initialize", { result: {} });
    begun.reply("thread/start", thread);
    begun.reply("turn/start", turn("u-1"));
    expect(begun.written.at(-1)).toMatchObject({
      method: "turn/interrupt",
      params: { threadId: "t-1", turnId: "u-1" },
    });
    begun.hear(completed("u-1", "interrupted"));
    const before = begun.written.length;
    begun.conversation.interrupt();
    begun.conversation.send("again");
    begun.reply("turn/start", turn("u-2"));
    expect(methods(begun).slice(before)).toEqual(["turn/start"]);
  });

  test("H9 messages that did not reach it are not sent after an interrupt", () => {
    const begun = atWork();
    begun.conversation.send("late");
    begun.reply("turn/steer", { error: { code: -32_600, message: "it takes none" } });
    begun.conversation.interrupt();
    begun.hear(completed("u-1", "interrupted"));
    expect(methods(begun).slice(4)).toEqual(["turn/steer", "turn/interrupt"]);
  });

  test("H9 a question that the server drops is taken back", () => {
    const begun = atWork();
    begun.hear({ method: "item/commandExecution/requestApproval", id: 7, params: { threadId: "t-1", command: "ls" } });
    const resolved = { method: "serverRequest/resolved", params: { threadId: "t-1", requestId: 7 } };
    expect(begun.hear(resolved)).toEqual([
      { type: "permission", id: "7", tool: "", input: {}, options: [], withdrawn: true },
    ]);
    expect(begun.hear(resolved)).toEqual([]);
  });
});

describe("H9 what is not understood", () => {
  test("H9 a request that is not served here is refused, so that the server does not wait for it", () => {
    const begun = atWork();
    begun.hear({ method: "item/tool/requestUserInput", id: "q-1", params: { questions: [] } });
    begun.hear({ method: "mcpServer/elicitation/request", id: 3, params: { mode: "form", message: "Your name?" } });
    expect(begun.written.slice(4)).toEqual([
      { id: "q-1", error: { code: -32_601, message: expect.any(String) as string } },
      { id: 3, result: { action: "decline", content: null, _meta: null } },
    ]);
  });

  test("H9 answers to nothing, and lines that are no messages", () => {
    const begun = atWork();
    expect(begun.hear({ id: 99, result: {} }, { id: "x", error: {} }, {})).toEqual([]);
    expect(begun.conversation.read("panicked at src/main.rs")).toEqual([]);
    expect(begun.conversation.end()).toMatchObject([
      { type: "error", message: expect.stringMatching(/panicked/) as string },
    ]);
    begun.hear(completed("u-1"));
    expect(begun.conversation.end()).toEqual([]);
  });

  test("H9 no line throws, at any time", () => {
    const recorded = recording("every approval is accepted").flatMap((line): Fields[] => (line.in ? [line.in] : []));
    const mangled = fc
      .tuple(fc.constantFrom(...recorded), fc.constantFrom("id", "method", "params", "result"), fc.jsonValue())
      .map(([line, key, value]) => JSON.stringify({ ...line, [key]: value }));
    const inner = fc
      .tuple(
        fc.constantFrom(...recorded),
        fc.dictionary(fc.constantFrom("item", "turn", "threadId", "delta"), fc.jsonValue()),
      )
      .map(([line, params]) => JSON.stringify({ ...line, params: { ...(line.params as Fields), ...params } }));
    const line = fc.oneof(
      mangled,
      inner,
      fc.string(),
      fc.json(),
      fc.constantFrom(...recorded.map((one) => JSON.stringify(one))),
    );
    fc.assert(
      fc.property(fc.array(line), (lines) => {
        const { conversation } = atWork();
        for (const each of lines) conversation.read(each);
        conversation.send("more");
        conversation.interrupt();
        conversation.end();
      }),
    );
  });
});
