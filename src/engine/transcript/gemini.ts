import type { Json } from "../../contract/json.ts";
import { fieldsOf, hasImpossibleCount, listOf, numberOf, objectIn, textOf, type Fields } from "../read-fields.ts";
import { note } from "./about.ts";
import type { TranscriptAbout, TranscriptEvent, TranscriptLine, TranscriptReader } from "./event.ts";
import { failedCommand, messageUsage, ownWords, responseText } from "./parts.ts";

const counted = ["input", "output", "thoughts", "cached"];

/** What was told of a message; it may be written again, with more in it. */
interface ToldMessage {
  hasText: boolean;
  calls: Set<string>;
  results: Set<string>;
}

/**
 * The chats of Gemini CLI: a header, messages, and patches that may bring all messages again. `folderOf` names the folder of a
 * project's hash, where it is known.
 */
export function geminiTranscript(folderOf: (projectHash: string) => string | undefined): TranscriptReader {
  const about: TranscriptAbout = {};
  const told = new Map<string, ToldMessage>();

  function read(line: Buffer): ReturnType<TranscriptReader["read"]> {
    const fields = objectIn(line.toString("utf8"));
    if (!fields) return { problem: "broken" };
    if (fields.sessionId !== undefined) {
      const hash = textOf(fields.projectHash);
      note(about, { session: fields.sessionId, cwd: listOf(fields.directories)[0] });
      note(about, { cwd: hash === undefined ? undefined : folderOf(hash) });
      return undefined;
    }
    if (fields.$set !== undefined) return patch(fieldsOf(fields.$set));
    if (fields.id === undefined) return { problem: { unknown: Object.keys(fields)[0] ?? "none" } };
    return reading(fields);
  }

  function patch(changes: Fields): ReturnType<TranscriptReader["read"]> {
    const messages = listOf(changes.messages).map(fieldsOf);
    const readings = messages.map(reading);
    const events = readings.flatMap((each) => each.events);
    const at = readings.findLast((each) => each.at !== undefined)?.at;
    const isImpossible = readings.some((each) => each.hasImpossibleCount);
    if (events.length === 0) return undefined;
    return { events, ...(at !== undefined && { at }), ...(isImpossible && { hasImpossibleCount: true }) };
  }

  function reading(message: Fields): TranscriptLine {
    const at = textOf(message.timestamp);
    const isImpossible = hasImpossibleCount(fieldsOf(message.tokens), counted);
    const events = messageEvents(message);
    return { events, ...(at !== undefined && { at }), ...(isImpossible && { hasImpossibleCount: true }) };
  }

  function messageEvents(message: Fields): TranscriptEvent[] {
    const id = textOf(message.id) ?? "";
    let known = told.get(id);
    if (!known) told.set(id, (known = { hasText: false, calls: new Set(), results: new Set() }));
    const text = textIn(message.displayContent ?? message.content);
    const isNews = !known.hasText && text.trim() !== "";
    if (isNews) known.hasText = true;
    switch (message.type) {
      case "user": {
        const words = isNews ? ownWords(text) : "";
        return words === "" ? [] : [{ type: "prompt", text: words }];
      }
      case "gemini":
        return [
          ...(isNews ? [{ type: "message" as const, text }] : []),
          ...callEvents(message, known),
          ...usage(message),
        ];
      case "error":
        return isNews ? [{ type: "error", message: text }] : [];
      default:
        return [];
    }
  }

  return { about, read };
}

function textIn(content: Json | undefined): string {
  if (typeof content === "string") return content;
  return listOf(content)
    .map((part) => textOf(fieldsOf(part).text) ?? "")
    .filter((text) => text !== "")
    .join("\n");
}

function callEvents({ toolCalls }: Fields, { calls, results }: ToldMessage): TranscriptEvent[] {
  return listOf(toolCalls).flatMap((each): TranscriptEvent[] => {
    const call = fieldsOf(each);
    const id = textOf(call.id);
    if (id === undefined) return [];
    const name = textOf(call.name) ?? "unknown";
    const events: TranscriptEvent[] = calls.has(id) ? [] : [{ type: "tool_call", id, name, input: call.args ?? {} }];
    calls.add(id);
    const status = textOf(call.status);
    if (results.has(id) || call.result === undefined || status === undefined) return events;
    results.add(id);
    const output = listOf(call.result).map(responseText).join("\n");
    const failed = status !== "success" || failedCommand(output);
    return [...events, { type: "tool_result", id, output, failed }];
  });
}

function usage({ id, tokens, model }: Fields): TranscriptEvent[] {
  const counts = fieldsOf(tokens);
  const output = numberOf(counts.output) + numberOf(counts.thoughts);
  return messageUsage({ id, model, input: numberOf(counts.input), cached: numberOf(counts.cached), output });
}
