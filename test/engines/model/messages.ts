import { pieces } from "./answer.ts";
import { list, splitAnswers, text } from "./wire.ts";
import type { Answer, SseEvent } from "./answer.ts";
import type { Json, Wire } from "./wire.ts";

/** Anthropic Messages, as Claude Code speaks it. */
export const messages: Wire = {
  name: "messages",
  read: (body) => ({
    ...splitAnswers(list(body.messages), ({ role }) => role === "assistant"),
    tools: list(body.tools).map(({ name }) => ({ name: text(name) })),
  }),
  events: (answer, model) => [
    event("message_start", { message: { ...frame(answer, model), content: [], stop_reason: null } }),
    ...blocks(answer).flatMap((block, index) => [
      event("content_block_start", { index, content_block: block.empty }),
      ...block.deltas.map((delta) => event("content_block_delta", { index, delta })),
      event("content_block_stop", { index }),
    ]),
    event("message_delta", {
      delta: { stop_reason: stopReason(answer), stop_sequence: null },
      usage: { output_tokens: answer.usage.output },
    }),
    event("message_stop", {}),
  ],
  whole: (answer, model) => ({
    ...frame(answer, model),
    content: blocks(answer).map(({ full }) => full),
    stop_reason: stopReason(answer),
  }),
  error: ({ type, message }) => ({ type: "error", error: { type, message } }),
};

function event(type: string, rest: Json): SseEvent {
  return { event: type, data: { type, ...rest } };
}

function frame({ id, usage }: Answer, model: string): Json {
  return {
    id,
    type: "message",
    role: "assistant",
    model,
    stop_sequence: null,
    usage: {
      input_tokens: usage.input - usage.cached,
      cache_creation_input_tokens: 0,
      cache_read_input_tokens: usage.cached,
      output_tokens: usage.output,
      service_tier: "standard",
    },
  };
}

function stopReason({ calls, stop }: Answer): string {
  if (stop !== undefined) return stop;
  return calls.length > 0 ? "tool_use" : "end_turn";
}

function blocks({ think, says, calls }: Answer): { empty: Json; deltas: Json[]; full: Json }[] {
  const all = [];
  if (think !== undefined) {
    all.push({
      empty: { type: "thinking", thinking: "", signature: "" },
      deltas: [
        ...pieces(think).map((thinking) => ({ type: "thinking_delta", thinking })),
        { type: "signature_delta", signature: "c2lnbmVk" },
      ],
      full: { type: "thinking", thinking: think, signature: "c2lnbmVk" },
    });
  }
  for (const say of says) {
    all.push({
      empty: { type: "text", text: "" },
      deltas: pieces(say).map((piece) => ({ type: "text_delta", text: piece })),
      full: { type: "text", text: say },
    });
  }
  for (const { id, name, input } of calls) {
    const use = { type: "tool_use", id: id.replace("call", "toolu"), name };
    all.push({
      empty: { ...use, input: {} },
      deltas: halves(JSON.stringify(input)).map((partial_json) => ({ type: "input_json_delta", partial_json })),
      full: { ...use, input },
    });
  }
  return all;
}

/** Not at a place inside of a value, so that a path can still be found in a recording. */
function halves(json: string): string[] {
  return [json.slice(0, 1), json.slice(1)];
}
