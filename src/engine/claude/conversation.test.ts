import { expect, test } from "vitest";
import type { Json } from "../../contract/json.ts";
import { claudeConversation } from "./conversation.ts";

function begin(initialize?: { [key: string]: Json }) {
  const written: unknown[] = [];
  const conversation = claudeConversation({ prompt: "one\ntwo", ...(initialize && { initialize }) }, (text) => {
    expect(text.indexOf("\n")).toBe(text.length - 1);
    written.push(JSON.parse(text));
    return undefined;
  });
  conversation.begin();
  return { conversation, written };
}

const userMessage = (text: string): object => ({
  type: "user",
  message: { role: "user", content: [{ type: "text", text }] },
});

test("H9 what Claude reads: the prompt, a message, an interrupt, a line each", () => {
  const { conversation, written } = begin();
  conversation.send("three");
  conversation.interrupt();
  expect(written).toEqual([
    userMessage("one\ntwo"),
    userMessage("three"),
    { type: "control_request", request_id: "interrupt", request: { subtype: "interrupt" } },
  ]);
});

test("H9 Qwen is told how to wait before it gets the prompt", () => {
  const { written } = begin({ timeout: { canUseTool: 600_000 } });
  expect(written).toEqual([
    {
      type: "control_request",
      request_id: "initialize",
      request: { subtype: "initialize", timeout: { canUseTool: 600_000 } },
    },
    userMessage("one\ntwo"),
  ]);
});

test("H9 a permission is answered both ways; an allowed call gets its input back as it was", () => {
  const { conversation, written } = begin();
  const input = { command: "ls" };
  const ask = (request_id: string): string =>
    JSON.stringify({
      type: "control_request",
      request_id,
      request: { subtype: "can_use_tool", tool_name: "Bash", input },
    });
  expect(conversation.read(ask("r-1"))).toMatchObject([{ type: "permission", id: "r-1", tool: "Bash", input }]);
  conversation.answer("r-1", "allow");
  conversation.read(ask("r-2"));
  conversation.answer("r-2", "deny");
  const answered = (request_id: string, response: object): object => ({
    type: "control_response",
    response: { subtype: "success", request_id, response },
  });
  expect(written.slice(1)).toEqual([
    answered("r-1", { behavior: "allow", updatedInput: input }),
    answered("r-2", { behavior: "deny", message: "It was not allowed." }),
  ]);
});

test("H9 a question that was answered elsewhere is taken back", () => {
  const { conversation } = begin();
  const withdrawal = JSON.stringify({ type: "control_cancel_request", request_id: "r-1" });
  expect(conversation.read(withdrawal)).toMatchObject([{ type: "permission", id: "r-1", withdrawn: true }]);
});

test("H9 a request that is not served here is refused, so that the engine does not wait for it", () => {
  const { conversation, written } = begin();
  conversation.read('{"type":"control_request","request_id":"h-1","request":{"subtype":"hook_callback"}}');
  conversation.read('{"type":"control_request"}');
  conversation.read('"control_request"');
  expect(written.slice(1)).toEqual([
    {
      type: "control_response",
      response: { subtype: "error", request_id: "h-1", error: expect.any(String) as string },
    },
  ]);
});
