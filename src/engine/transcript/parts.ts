import type { Json } from "../../contract/json.ts";
import { fieldsOf, textOf } from "../read-fields.ts";
import type { TranscriptEvent } from "./event.ts";
import { withoutTag } from "./tags.ts";

// What the transcripts of Gemini and Qwen, whose messages have the same parts, have in common.

const wrappers = ["session_context", "hook_context", "system-reminder", "qwen:user-prompt-submit-context"];

/** A person's own words in a message. */
export function ownWords(text: string): string {
  if (text.trimStart().startsWith("<session_context>")) return "";
  return wrappers.reduce(withoutTag, text).trim();
}

/** What a `functionResponse` gave the model. */
export function responseText(part: Json): string {
  const { response } = fieldsOf(fieldsOf(part).functionResponse);
  const { output, error } = fieldsOf(response);
  const text = textOf(output) ?? textOf(error);
  return text ?? (response === undefined ? "" : JSON.stringify(response));
}

/** A command that failed is told as a success; its code stands in the text. */
export function failedCommand(output: string): boolean {
  return /^Exit Code: (?!0$)-?\d+$/m.test(output.slice(-2000));
}

interface MessageCounts {
  id: Json | undefined;
  model: Json | undefined;
  input: number;
  /** What of the input came from a cache. */
  cached: number;
  output: number;
}

/** What a message used; nothing where it has no name or no tokens. */
export function messageUsage({ id, model, input, cached, output }: MessageCounts): TranscriptEvent[] {
  const [messageId, name] = [textOf(id), textOf(model)];
  if (messageId === undefined || input + output === 0) return [];
  const counts = { input_tokens: input, ...(cached > 0 && { cached_input_tokens: cached }), output_tokens: output };
  return [{ type: "usage", message_id: messageId, ...(name !== undefined && { model: name }), ...counts }];
}
