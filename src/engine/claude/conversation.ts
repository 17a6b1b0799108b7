import type { EngineEvent } from "../../contract/engine.ts";
import type { Json } from "../../contract/json.ts";
import type { Conversation, Refusal, Write } from "../conversation.ts";
import { fieldsOf, objectIn, textOf } from "../read-fields.ts";
import { sessionRules } from "./permission-requests.ts";
import { createClaudeReader } from "./stream.ts";

interface Opening {
  prompt: string;
  /** What the engine is told before the prompt; Qwen starts no session without it. */
  initialize?: { [key: string]: Json };
  /** Whether it goes on with an earlier session. */
  isResumed?: boolean;
  /** No part of the prompt is a command, also at its beginning. */
  isLiteral?: boolean | undefined;
}

/** Claude's control protocol over stream-JSON, which Qwen Code and the scripted engine speak as well. */
export function claudeConversation(opening: Opening, write: Write): Conversation {
  const reader = createClaudeReader(opening);
  /** Calls that wait for a permission: an allowed one gets its input back as it was. */
  const calls = new Map<string, { input: Json; rules: Json[] }>();

  const send = (text: string): Refusal | undefined => sendBlocks([text]);

  const sendBlocks = (texts: string[]): Refusal | undefined =>
    write(line({ type: "user", message: { role: "user", content: texts.map((text) => ({ type: "text", text })) } }));

  const respond = (response: { [key: string]: Json }): Refusal | undefined =>
    write(line({ type: "control_response", response }));

  function read(printed: string): EngineEvent[] {
    const events = reader.push(printed);
    for (const event of events) {
      if (event.type !== "permission") continue;
      if (event.withdrawn) calls.delete(event.id);
      else calls.set(event.id, { input: event.input, rules: sessionRules(fieldsOf(objectIn(printed)?.request)) });
    }
    if (events.length === 0 && printed.includes('"control_request"')) refuseRequest(printed);
    return events;
  }

  /** An engine that asks for what is not served here must not wait for ever. */
  function refuseRequest(printed: string): void {
    const { type, request_id } = objectIn(printed) ?? {};
    if (type !== "control_request" || textOf(request_id) === undefined) return;
    respond({ subtype: "error", request_id: request_id!, error: "this client does not take such requests" });
  }

  return {
    begin() {
      const { prompt, initialize } = opening;
      if (initialize) {
        const request = { subtype: "initialize", ...initialize };
        write(line({ type: "control_request", request_id: "initialize", request }));
      }
      sendBlocks(opening.isLiteral ? literalBlocks(prompt) : [prompt]);
    },
    read,
    end: () => reader.end(),
    send,
    answer(permissionId, optionId, reason = "It was not allowed.") {
      const { input, rules } = calls.get(permissionId) ?? { input: {}, rules: [] };
      calls.delete(permissionId);
      const response: Json =
        optionId === "deny"
          ? { behavior: "deny", message: reason }
          : { behavior: "allow", updatedInput: input, ...(optionId === "always" && { updatedPermissions: rules }) };
      return respond({ subtype: "success", request_id: permissionId, response });
    },
    // An agent is interrupted once.
    interrupt: () =>
      write(line({ type: "control_request", request_id: "interrupt", request: { subtype: "interrupt" } })),
  };
}

/** A message whose last block begins with a slash would be a command of the engine: then the slash has a block of its own. */
function literalBlocks(prompt: string): string[] {
  const slash = prompt.search(/\S/);
  return prompt[slash] === "/" ? [prompt.slice(0, slash + 1), prompt.slice(slash + 1)] : [prompt];
}

function line(value: Json): string {
  return `${JSON.stringify(value)}\n`;
}
