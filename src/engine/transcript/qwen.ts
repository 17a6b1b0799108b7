import { fieldsOf, hasImpossibleCount, listOf, numberOf, objectIn, textOf, type Fields } from "../read-fields.ts";
import { note } from "./about.ts";
import type { TranscriptAbout, TranscriptEvent, TranscriptReader } from "./event.ts";
import { failedCommand, messageUsage, ownWords, responseText } from "./parts.ts";

const counted = ["promptTokenCount", "candidatesTokenCount", "cachedContentTokenCount"];

/** The chats of Qwen Code, of a session or a subagent. */
export function qwenTranscript(): TranscriptReader {
  const about: TranscriptAbout = {};

  function read(line: Buffer): ReturnType<TranscriptReader["read"]> {
    const fields = objectIn(line.toString("utf8"));
    if (!fields) return { problem: "broken" };
    const events = eventsOf(fields);
    if (!events) return { problem: { unknown: textOf(fields.type) ?? "none" } };
    const { cwd, sessionId, isSidechain, agentName } = fields;
    note(about, { cwd, branch: fields.gitBranch });
    if (isSidechain === true) note(about, { parent: sessionId, agent: agentName });
    else note(about, { session: sessionId });
    const at = textOf(fields.timestamp);
    const isImpossible = hasImpossibleCount(fieldsOf(fields.usageMetadata), counted);
    return { events, ...(at !== undefined && { at }), ...(isImpossible && { hasImpossibleCount: true }) };
  }

  return { about, read };
}

function eventsOf(fields: Fields): TranscriptEvent[] | undefined {
  const parts = listOf(fieldsOf(fields.message).parts).map(fieldsOf);
  switch (fields.type) {
    case "user":
      return promptEvents(fields, parts);
    case "assistant":
      return [...parts.flatMap(partEvents), ...usageEvents(fields)];
    case "tool_result":
      return parts.flatMap((part) => resultEvents(part, fieldsOf(fields.toolCallResult)));
    case "system":
      if (fields.subtype !== "chat_compression") return [];
      return [{ type: "compacted", text: "The conversation was compacted here." }];
    default:
      return undefined;
  }
}

function promptEvents({ provenance, systemPayload }: Fields, parts: Fields[]): TranscriptEvent[] {
  if (provenance !== undefined && provenance !== "real_user") return [];
  const shown = textOf(fieldsOf(systemPayload).displayText);
  const text = shown ?? ownWords(parts.flatMap((part) => textOf(part.text) ?? []).join("\n"));
  return text === "" ? [] : [{ type: "prompt", text }];
}

function partEvents(part: Fields): TranscriptEvent[] {
  const text = textOf(part.text);
  if (text !== undefined) return part.thought === true ? [] : [{ type: "message", text }];
  const call = fieldsOf(part.functionCall);
  const id = textOf(call.id);
  if (id === undefined) return [];
  return [{ type: "tool_call", id, name: textOf(call.name) ?? "unknown", input: call.args ?? {} }];
}

function resultEvents(part: Fields, { status }: Fields): TranscriptEvent[] {
  const { id, name } = fieldsOf(part.functionResponse);
  const callId = textOf(id);
  if (callId === undefined) return [];
  const output = responseText(part);
  const failed = status === "error" || status === "cancelled" || failedCommand(output);
  const tool = textOf(name);
  return [{ type: "tool_result", id: callId, ...(tool !== undefined && { name: tool }), output, failed }];
}

/** What came from a cache is among the prompt's tokens, and thoughts among the candidates'. */
function usageEvents({ uuid, model, usageMetadata }: Fields): TranscriptEvent[] {
  const counts = fieldsOf(usageMetadata);
  return messageUsage({
    id: uuid,
    model,
    input: numberOf(counts.promptTokenCount),
    cached: numberOf(counts.cachedContentTokenCount),
    output: numberOf(counts.candidatesTokenCount),
  });
}
