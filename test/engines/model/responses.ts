import { newId, pieces } from "./answer.ts";
import { list, splitAnswers, text } from "./wire.ts";
import type { Answer, Call, SseEvent } from "./answer.ts";
import type { OfferedTool } from "./script.ts";
import type { Json, Wire } from "./wire.ts";

const modelsItems = new Set(["reasoning", "function_call", "custom_tool_call", "local_shell_call", "tool_search_call"]);

/** OpenAI Responses, as Codex speaks it. */
export const responses: Wire = {
  name: "responses",
  read: (body) => ({
    ...splitAnswers(list(body.input), ({ type, role }) => role === "assistant" || modelsItems.has(text(type))),
    tools: list(body.tools).flatMap(offered),
  }),
  events: (answer, model) => {
    const response = {
      id: answer.id.replace("msg", "resp"),
      object: "response",
      model,
      status: "in_progress",
      output: [],
    };
    const parts = items(answer);
    const rest = [
      ...parts.flatMap(({ item, deltas }, output_index) => [
        { type: "response.output_item.added", output_index, item: { ...item, ...hollow(item), status: "in_progress" } },
        ...deltas.map((delta) => ({ ...delta, output_index, item_id: item.id })),
        { type: "response.output_item.done", output_index, item: { ...item, status: "completed" } },
      ]),
      ending(answer, model),
    ];
    return [{ type: "response.created", response }, ...rest].map(numbered);
  },
  whole: completed,
  error: ({ type, message }) => ({ error: { type, code: type, message } }),
};

function numbered(data: Json, sequence_number: number): SseEvent {
  return { event: text(data.type), data: { ...data, sequence_number } };
}

function completed(answer: Answer, model: string): Json {
  const { input, output, cached } = answer.usage;
  return {
    id: answer.id.replace("msg", "resp"),
    object: "response",
    model,
    status: "completed",
    output: items(answer).map(({ item }) => item),
    usage: {
      input_tokens: input,
      input_tokens_details: { cached_tokens: cached },
      output_tokens: output,
      output_tokens_details: { reasoning_tokens: 0 },
      total_tokens: input + output,
    },
  };
}

function ending(answer: Answer, model: string): Json {
  const response = completed(answer, model);
  if (answer.stop === undefined) return { type: "response.completed", response };
  const reason = answer.stop === "max_tokens" ? "max_output_tokens" : "content_filter";
  return {
    type: "response.incomplete",
    response: { ...response, status: "incomplete", incomplete_details: { reason } },
  };
}

function items({ id, think, says, calls }: Answer): { item: Json; deltas: Json[] }[] {
  const all: { item: Json; deltas: Json[] }[] = [];
  if (think !== undefined) {
    const summary = [{ type: "summary_text", text: think }];
    all.push({
      item: { type: "reasoning", id: newId("rs"), summary, encrypted_content: "c2VhbGVk" },
      deltas: [
        { type: "response.reasoning_summary_part.added", summary_index: 0 },
        ...pieces(think).map((delta) => ({ type: "response.reasoning_summary_text.delta", summary_index: 0, delta })),
      ],
    });
  }
  for (const [place, say] of says.entries()) {
    all.push({
      item: {
        type: "message",
        id: place === 0 ? id : newId("msg"),
        role: "assistant",
        content: [{ type: "output_text", text: say, annotations: [] }],
      },
      deltas: pieces(say).map((delta) => ({ type: "response.output_text.delta", content_index: 0, delta })),
    });
  }
  return [...all, ...calls.map((call) => ({ item: callItem(call), deltas: [] }))];
}

/** An item begins empty and is filled by its deltas. */
function hollow({ type }: Json): Json {
  if (type === "message") return { content: [] };
  if (type === "reasoning") return { summary: [] };
  return type === "function_call" ? { arguments: "" } : { input: "" };
}

function callItem({ id, name, namespace, input }: Call): Json {
  const common = { id: newId("fc"), call_id: id, name, ...(namespace !== undefined && { namespace }) };
  if (typeof input === "string") return { type: "custom_tool_call", ...common, input };
  return { type: "function_call", ...common, arguments: JSON.stringify(input) };
}

function offered(tool: Json): OfferedTool[] {
  if (tool.type === "tool_search") return [{ name: "tool_search", hidesOthers: true }];
  if (tool.type !== "namespace") return [{ name: text(tool.name ?? tool.type) }];
  return list(tool.tools).map(({ name }) => ({ name: text(name), namespace: text(tool.name) }));
}
