import { pieces } from "./answer.ts";
import { list, splitAnswers, text } from "./wire.ts";
import type { Answer } from "./answer.ts";
import type { Json, Wire } from "./wire.ts";

/** Gemini's generateContent, as Gemini CLI speaks it. */
export const gemini: Wire = {
  name: "gemini",
  read: (body) => ({
    ...splitAnswers(list(body.contents), ({ role }) => role === "model"),
    tools: list(body.tools).flatMap(({ functionDeclarations }) =>
      list(functionDeclarations).map(({ name }) => ({ name: text(name) })),
    ),
  }),
  events: (answer, model) => {
    const parts = [
      // A thought comes whole: the engine reads a heading off each.
      ...thoughts(answer),
      ...pieces(answer.says.join("")).map((piece) => ({ text: piece })),
      ...calls(answer),
    ];
    const chunks = parts.map((part) => ({ data: frame(answer, model, [part]) }));
    return [...chunks, { data: frame(answer, model, [{ text: "" }], finishReason(answer)) }];
  },
  whole: (answer, model) => {
    const parts = [...thoughts(answer), ...answer.says.map((say) => ({ text: say })), ...calls(answer)];
    return frame(answer, model, parts, finishReason(answer));
  },
  error: ({ status, type, message }) => ({ error: { code: status, status: type, message } }),
};

function thoughts({ think }: Answer): Json[] {
  return think === undefined ? [] : [{ text: think, thought: true }];
}

function calls(answer: Answer): Json[] {
  return answer.calls.map(({ id, name, input }) => ({ functionCall: { id, name, args: input } }));
}

function finishReason({ stop }: Answer): string {
  if (stop === undefined) return "STOP";
  return stop === "max_tokens" ? "MAX_TOKENS" : "SAFETY";
}

function frame({ id, usage }: Answer, modelVersion: string, parts: Json[], reason?: string): Json {
  return {
    responseId: id,
    modelVersion,
    candidates: [
      { index: 0, content: { role: "model", parts }, ...(reason !== undefined && { finishReason: reason }) },
    ],
    usageMetadata: {
      promptTokenCount: usage.input,
      candidatesTokenCount: usage.output,
      cachedContentTokenCount: usage.cached,
      totalTokenCount: usage.input + usage.output,
    },
  };
}
