import { expect, test } from "vitest";
import { claudeInput } from "./claude-input.ts";

const written = (text: string): unknown => {
  expect(text.indexOf("\n")).toBe(text.length - 1);
  return JSON.parse(text) as unknown;
};

test("H9 what Claude reads: a message, an answer both ways, an interrupt, a line each", () => {
  expect(written(claudeInput.message("one\ntwo"))).toEqual({
    type: "user",
    message: { role: "user", content: [{ type: "text", text: "one\ntwo" }] },
  });
  const input = { command: "ls" };
  const request = JSON.stringify({
    type: "control_request",
    request_id: "r-1",
    request: { subtype: "can_use_tool", tool_name: "Bash", input },
  });
  const answered = (response: object): object => ({
    type: "control_response",
    response: { subtype: "success", request_id: "r-1", response },
  });
  expect(written(claudeInput.answer(request, "allow"))).toEqual(answered({ behavior: "allow", updatedInput: input }));
  expect(written(claudeInput.answer(request, "deny"))).toEqual(
    answered({ behavior: "deny", message: "It was not allowed." }),
  );
  expect(written(claudeInput.interrupt())).toEqual({
    type: "control_request",
    request_id: "interrupt",
    request: { subtype: "interrupt" },
  });
});
