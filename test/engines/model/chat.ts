import { pieces } from "./answer.ts";
import { isObject, list, splitAnswers, text } from "./wire.ts";
import type { Answer, SseEvent } from "./answer.ts";
import type { Json, Wire } from "./wire.ts";

/** OpenAI Chat Completions, as Qwen Code and opencode speak it. */
export const chat: Wire = {
  name: "chat",
  read: (body) => ({
    ...splitAnswers(list(body.messages), ({ role }) => role === "assistant"),
    tools: list(body.tools).flatMap((tool) => (isObject(tool.function) ? [{ name: text(tool.function.name) }] : [])),
  }),
  events: (answer, model) => {
    const chunk = (delta: Json, finish_reason: string | null = null): SseEvent => ({
      data: { ...frame(answer, model, "chat.completion.chunk"), choices: [{ index: 0, delta, finish_reason }] },
    });
    return [
      chunk({ role: "assistant", content: "" }),
      ...pieces(answer.think ?? "").map((reasoning_content) => chunk({ reasoning_content })),
      ...pieces(answer.says.join("")).map((content) => chunk({ content })),
      ...calls(answer).map((call, index) => chunk({ tool_calls: [{ index, ...call }] })),
      chunk({}, finishReason(answer)),
      { data: { ...frame(answer, model, "chat.completion.chunk"), choices: [], usage: usage(answer) } },
      { data: "[DONE]" },
    ];
  },
  whole: (answer, model) => {
    const tool_calls = calls(answer);
    const message = {
      role: "assistant",
      content: answer.says.length === 0 ? null : answer.says.join(""),
      ...(answer.think !== undefined && { reasoning_content: answer.think }),
      ...(tool_calls.length > 0 && { tool_calls }),
    };
    return {
      ...frame(answer, model, "chat.completion"),
      choices: [{ index: 0, message, finish_reason: finishReason(answer) }],
      usage: usage(answer),
    };
  },
  error: ({ type, message }) => ({ error: { type, code: type, message } }),
};

function frame({ id }: Answer, model: string, object: string): Json {
  return { id, object, created: 1_700_000_000, model };
}

function finishReason(answer: Answer): string {
  if (answer.stop !== undefined) return answer.stop === "max_tokens" ? "length" : "content_filter";
  return answer.calls.length > 0 ? "tool_calls" : "stop";
}

function usage({ usage: { input, output, cached } }: Answer): Json {
  return {
    prompt_tokens: input,
    completion_tokens: output,
    total_tokens: input + output,
    prompt_tokens_details: { cached_tokens: cached },
  };
}

function calls(answer: Answer): Json[] {
  return answer.calls.map(({ id, name, input }) => ({
    id,
    type: "function",
    function: { name, arguments: JSON.stringify(input) },
  }));
}
