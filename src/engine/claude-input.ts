import type { Json } from "../contract/json.ts";
import type { EngineInput } from "./engine-input.ts";
import { fieldsOf, objectIn } from "./read-fields.ts";

/** What Claude Code reads with `--input-format stream-json`, and the scripted engine with `--live`. */
export const claudeInput: EngineInput = {
  message: (text) => line({ type: "user", message: { role: "user", content: [{ type: "text", text }] } }),

  answer(request, optionId) {
    const { request_id = null, request: permissionRequest } = objectIn(request) ?? {};
    const response =
      optionId === "allow"
        ? { behavior: "allow", updatedInput: fieldsOf(permissionRequest).input ?? {} }
        : { behavior: "deny", message: "It was not allowed." };
    return line({ type: "control_response", response: { subtype: "success", request_id, response } });
  },

  // An agent is interrupted once.
  interrupt: () => line({ type: "control_request", request_id: "interrupt", request: { subtype: "interrupt" } }),
};

function line(value: Json): string {
  return `${JSON.stringify(value)}\n`;
}
